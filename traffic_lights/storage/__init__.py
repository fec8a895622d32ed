"""Files that survive anything: atomic writes, strict reading, a lock."""
