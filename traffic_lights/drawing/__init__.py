"""How a board looks, in windows and in pictures: colours, shapes, and the SVG drawing."""
