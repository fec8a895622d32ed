"""Everyone who can sit at the board. Begin with roster.

    roster              every player under its key
    policies            the levels and the stronger players
    tables              players by the file of a table
    external            programs that speak `tlp 1`

The baselines are policies too, in `board`, because bots train against them.
"""
