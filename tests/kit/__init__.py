"""What tests share. Which module to open for what:

    samples         where the project is, a folder, how long to wait, positions, `@slow`
    naive           a second, slow Traffic Lights that judges the fast one
    trained         Q-tables: made at random, and those that come with the program
    sessions        a game without a window: begin it, play on, save it
    external_bots   programs that play by the protocol, well and badly
    damage          a data folder, and what may happen to each of its files
    lab             the lab with its stubs filled in

    person          somebody who reads, clicks and types by words, and knows no widget
    workshop        that person in the Workshop, with bots of before
    windows         windows for the tests of one widget
    eye             what is cut off in a window, or lies over something else

    runs            small training runs that are disturbed and compared
    disk            a disk that fails on command, for those runs

`beside` lets the tests of a run work in several processes, and `ready` is what the processes that a
person starts in a window come from.
"""
