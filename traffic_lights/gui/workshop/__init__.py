"""The Workshop: one window to train bots, compare them and look into them.

    window                       all of it: `draw` shows everything again after each change
    bot_list, bot_acts           the list at the left, and the menus under it
    program_dialog               the dialog that adds a program
    selection, curves            which bots are chosen and ticked, and what was measured of them
    trainer, evaluator           the processes that train a bot and play the games of Strength
    learning_tab                 Learning: the pictures curve_chart, solved_bars and small_curves,
                                 past, the bot as it was, and form, which trains it
    strength_tab                 Strength: score_grid and score_bars show the scores
    inside_tab                   Inside: position_values, replay_steps and formula say what it shows
    learning_texts, comparing    the sentences of Learning and of Strength
    form_values, kept_scores     what the form means, and what the user's file has of Strength
    chart, shared                what all pictures share, and all parts

A process reports to the trainer or to the evaluator, of which the window has one each. That changes
what is known, the window draws the curves again, and Strength its scores.
"""
