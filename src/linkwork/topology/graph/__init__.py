"""Bodies and joints as a graph: trees, loops, and what a loop lets move."""
