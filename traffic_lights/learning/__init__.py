"""The Q-table, the games it learns from, its file. Begin with learner."""
