"""Where mechanisms can be, and how near they come."""
