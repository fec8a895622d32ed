"""The game itself: rules, mirrors, sets of positions, the exact solution. Begin with rules.

rules               states, actions, lines, and how boards are written
symmetry            mirror images, and the canonical one
positions           sets of all positions with some property
tablebase           the exact solution
exact_score         the chance that one player beats another
traps               which losing move is hardest to answer
baselines           what a policy is, and those that bots train against
games               games between bots
"""
