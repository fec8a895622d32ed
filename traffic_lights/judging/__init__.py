"""How well a player plays: scores, proofs and reports. Begin with evaluation."""
