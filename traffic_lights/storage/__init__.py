"""Files that survive anything, where they are, and how numbers and names are written."""
