"""From any noun of the walk to a mechanism that is ready."""
