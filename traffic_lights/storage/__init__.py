"""Files that survive anything, where they are, and how numbers and names are written.

files               how a file is written, read and locked so that nothing is lost
kinds, records      what a value must be, wherever it comes from, and objects of such values
folders             where things are
words               numbers, shares and names as users type and read them
"""
