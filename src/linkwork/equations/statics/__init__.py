"""Forces and energy at rest."""
