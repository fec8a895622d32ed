"""What ``import traffic_lights as tl`` offers; the page of this folder has examples."""
