"""Traffic Lights: Alan Parr's game on a 3×4 board, a learner that becomes perfect, a judge."""

__version__ = "1.0.0"
