"""What ``import traffic_lights as tl`` offers; the page about players has examples."""
