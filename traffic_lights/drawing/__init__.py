"""How a board looks, in windows and in pictures: colours, shapes, marks and the SVG drawing."""
