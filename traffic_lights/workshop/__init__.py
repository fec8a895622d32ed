"""What the Workshop shows, as plain values: curves, comparisons, sentences and drawings."""
