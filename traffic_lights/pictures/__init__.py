"""Charts and drawings as plain values, without a window. Begin with drawing."""
