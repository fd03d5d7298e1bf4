"""Relations, one file per kind: conditions between bodies that are no joints."""
