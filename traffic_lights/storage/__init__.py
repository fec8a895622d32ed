"""Files that survive anything: atomic writes, a lock, a log. Begin with files."""
