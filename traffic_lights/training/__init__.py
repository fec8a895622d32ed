"""One training run: what is played, what is written, how it resumes. Begin with run.

run                 `Training`: a run in a folder, from batch to batch
settings            what a user can choose, and what makes no difference
plans               the games of a run in their order; `learner_for` makes its learner
progress            a run and how far it is, as the meta of a table has them
store, folder       its files, in an order that loses nothing, and what they are called
snapshots           the bot as it was after some of its games
gauge, bot_note     the points of its curve, and the file that has them
worker              the process that trains for the Workshop
own_bots            the user's bots, each a folder
"""
