"""In which order loops are closed, and by what."""
