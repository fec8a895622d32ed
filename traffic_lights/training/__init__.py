"""One training run: what is played, what is written, how it resumes. Begin with run."""
