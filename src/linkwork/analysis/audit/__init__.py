"""What results say about themselves."""
