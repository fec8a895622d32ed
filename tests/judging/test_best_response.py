"""Best possible scores: computed by a second implementation, and never exceeded."""
