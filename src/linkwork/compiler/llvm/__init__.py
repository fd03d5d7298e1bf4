"""LLVM IR, as text, for an instruction list: one writer for one number at a time and for eight lanes."""
