"""What the Workshop shows, without its window: curves, comparisons, sentences and drawings."""
