"""What one element is and does: joints and forces, one file per kind."""
