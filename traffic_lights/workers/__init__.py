"""The processes behind the windows. Begin with link."""
