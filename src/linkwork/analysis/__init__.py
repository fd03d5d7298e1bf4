"""Stage 6: one file per question a user asks."""
