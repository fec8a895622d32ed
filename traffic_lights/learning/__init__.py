"""The Q-table, the games it learns from, its file. Begin with learner.

learner             how it chooses, plays a game and learns from it
update_rules        which moves of a game it learns, and towards what
exploration         how often it explores, and which moves it tries then
afterstates         its table: values and proofs by the position after a move
proving, practice   the plan *reverse*: proofs by games of one move, then win rates
qtable, rowtable    what every table can be asked for, and the one that files hold
deltas, tablefile   the records of the log, and the file of a table
prune               the rows that a bot needs to play
replay              what one game teaches a bot, move by move
"""
