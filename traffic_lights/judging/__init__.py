"""How well something plays. Begin with evaluation."""
