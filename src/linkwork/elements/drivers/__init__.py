"""What drivers of joints do; those of bodies are relations."""
