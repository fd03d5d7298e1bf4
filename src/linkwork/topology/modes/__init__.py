"""All positions in which a mechanism can be assembled."""
