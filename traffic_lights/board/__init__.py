"""The game itself: rules, mirrors, sets of positions, the exact solution. Begin with rules."""
