"""Time stepping with contacts: its memory, and runs."""
