"""Single loops without freedom: which row of the table they are, and all their assemblies in closed form."""
