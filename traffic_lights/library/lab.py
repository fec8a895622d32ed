"""The lab: six steps in ninety minutes, and three more for home.

You write learners, from value iteration to Q-learning with afterstates, and check each of them. You
should know Python, have played a game (`python3 -m traffic_lights`, or with `--text` in a terminal)
and know what a value in reinforcement learning is. Work in a copy of this file:

- If you have a clone, copy the file into its top folder, next to pyproject.toml.
- If the program is installed, this command prints where the file is. Copy it anywhere.
  python3 -c "from traffic_lights import library; print(library.__path__[0])"

VS Code, Spyder, PyCharm and Jupyter (with jupytext) run it part by part, and call a part a cell.
Each begins at `# %%`. In a terminal, `python3 lab.py` runs it up to the first thing that you have
not written yet, each time from the beginning. When all is written, it takes some minutes.

Where it says `raise NotImplementedError`, you write something in its place. The asserts in the next
part compare it with the exact solution of the game. Before you run a part, say what you expect. The
answers are in ANSWERS.md, in the same folder as the original of this file.
"""

# %%
import random
from functools import cache

import traffic_lights as tl
from traffic_lights.library import broken

# %% Step 1: The truth, and value iteration (20 minutes)
# Goal: know the exact value of positions, so that nothing later has to be believed.
#
# A board never changes; `play` returns a new one. In a notebook, a board at the end of a part is a
# picture.

late = tl.Board("3131/2103/1312")
print(late)
print(late.turn, late.legal_moves[:3], late.play("b1").turn)

# %%
# `tl.solve` knows the result of every position of the game, and how many plies there are to the
# end. A ply is one move of one player. Who wins from the empty board?

print(tl.solve(late))
print(tl.solve())

# %%
# You do not need to believe it, because you can compute it for all boards that can follow `late`.
# Negamax takes a few lines: if a line is complete, the player to move has lost. Otherwise my best
# move is the one that is worst for you. Why does the first `return` say -1 and not 1?


@cache
def negamax(board):
    if board.winner:
        return -1
    return max(-negamax(board.play(cell)) for cell in board.legal_moves)


print(negamax(late), negamax.cache_info().currsize)

# %%
# Value iteration finds the same without recursion. At first, finished boards are worth -1, and
# all others 0. In each sweep, set every board that is not finished to the value of its best move. A
# move is worth *minus* the value of the board after it. Stop when a sweep changes nothing. It takes
# ten lines. How many sweeps do you need, and on what does that depend?


def boards_below(board, found):
    """Return the set *found* with *board* and all boards that can follow it."""
    if board not in found:
        found.add(board)
        for cell in board.legal_moves:
            boards_below(board.play(cell), found)
    return found


def value_iteration(boards):
    """Return a dict with the value of each board, for the player to move there."""
    raise NotImplementedError("step 1: write value_iteration")


# %%
all_boards = boards_below(late, set())
all_values = value_iteration(all_boards)
assert all_values, "step 1: value_iteration must return the values"
for board in all_boards:
    truth, value = -1 if board.winner or not tl.solve(board).wins else 1, all_values.get(board)
    assert value == truth, f"step 1: {board!r} is worth {truth}, and not {value}"
print(f"All {len(all_boards):,} values are true.")

# You can say afterwards: the game is solved, and Player 2 wins it with best play. Near the end of
# a game I can check that myself; for all other positions there is `tl.solve`.

# %% Step 2: A player of your own (10 minutes)
# Goal: know how many games show a difference.
#
# Anything with `choose(board)` plays.


class Completes:
    """Completes a line if it can, and otherwise advances the first lamp that it may."""

    def completing(self, board):
        return [cell for cell in board.legal_moves if board.play(cell).winner]

    def choose(self, board):
        return (self.completing(board) or board.legal_moves)[0]


print(tl.evaluate(Completes(), "random", games=400).rate)
print(tl.evaluate(Completes(), "myopic", games=400).rate)

# %%
# Myopic completes lines and also blocks. Write a player that does both: it completes a line if it
# can. Otherwise it makes the first move after which the other player cannot complete one. If
# there is no such move, it makes any.


class Blocks(Completes):
    def choose(self, board):
        raise NotImplementedError("step 2: write the method choose of Blocks")


# %%
# A move has the distance 1 if it completes a line, and 2 if the other player then completes one.

hopeless = tl.Board("3200/2232/2322")  # after each move, the other player can complete a line
for seed in range(20):
    for board in (hopeless, *tl.play_game("random", "random", seed=seed).boards[:-1]):
        cell, distances = Blocks().choose(board), tl.solve(board).distances
        assert cell in distances, f"step 2: {cell} is no move of {board!r}"
        if 1 in distances.values():
            assert distances[cell] == 1, f"step 2: a move of {board!r} completes a line, not {cell}"
        elif set(distances.values()) != {2}:
            assert distances[cell] != 2, f"step 2: in {board!r}, {cell} lets the other player win"
print("Every move is right.")

# %%
# Is it better than Myopic? Four hundred games leave an interval of ten points. How many games do
# you need until the 95 % interval is five points wide? Guess first. The run takes some seconds.

enough_games = 400  # step 2: write your number

# %%
against_it = tl.evaluate(Blocks(), "myopic", games=enough_games)
low, high = against_it.interval
print(f"{against_it.rate:.1%}, between {low:.1%} and {high:.1%}")
assert abs(high - low - 0.05) < 0.003, "step 2: that is not five points"

# You can say afterwards: four times the games halve the interval, and a difference in a hundred
# games may be chance.

# %% Step 3: Monte Carlo control (15 minutes)
# Goal: a complete learner, and a curve over three seeds.
#
# This learner has a value for each move in each position. A move that was never learned is worth
# 0, so it is played before one that has only lost. Of equal moves, the learner plays the first.
# After a game, it changes the values of all moves that it played towards the result: 1 for a win,
# -1 for a loss. There is no other reward and no discount. Write `learn`: *episode* has the
# (board, cell) of each move of the learner, and *reward* is the result.


class MonteCarlo:
    def __init__(self, seed):
        self.values = {}
        self.rng = random.Random(seed)

    def key(self, board, cell):
        return board, cell

    def value(self, board, cell):
        return self.values.get(self.key(board, cell), 0.0)

    def choose(self, board):
        return max(board.legal_moves, key=lambda cell: self.value(board, cell))

    def moves(self, board):
        return [self.choose(board)]

    def move_towards(self, board, cell, target, alpha=0.2):
        old = self.value(board, cell)
        self.values[self.key(board, cell)] = old + alpha * (target - old)

    def learn(self, episode, reward):
        raise NotImplementedError("step 3: write the method learn of MonteCarlo")


# %%
# `tl.Env` plays the opponent. `env.reset()` begins a game; if the opponent is Player 1, it makes
# its first move. `env.step(action)` plays your move, a number from 0 (a1) to 11 (d3), and then
# the opponent's reply. With `seat="alternate"`, you change seats after every game. In a fifth of
# its moves, the learner explores.


def one_game(learner, env, epsilon=0.2, start=None):
    """Play one game; return the (board, cell) of each move of the learner, and the reward."""
    env.reset(options={"board": start} if start else None)
    episode, is_over = [], False
    while not is_over:
        board = env.board
        cell = learner.choose(board)
        if learner.rng.random() < epsilon:
            cell = learner.rng.choice(board.legal_moves)
        episode.append((board, cell))
        # The five results: observation, reward, is it over, was it cut off, other facts.
        _, reward, is_over, _, _ = env.step(tl.CELLS.index(cell))
    return episode, reward


# %%
# Perfect never lets a win slip. So a move that loses by the truth loses whenever it is played, and
# one that completes a line wins.


def games_from_late(learner):
    """Let *learner* play against Perfect from the board `late`; return all moves that it made."""
    env, tried = tl.Env("perfect"), []
    env.reset(seed=1)
    for _ in range(300):
        episode, reward = one_game(learner, env, epsilon=0.5, start=late)
        learner.learn(episode, reward)
        tried += episode
    return tried


learner = MonteCarlo(1)
for board, cell in games_from_late(learner):
    learned, solution = learner.value(board, cell), tl.solve(board)
    if solution.values[cell] < 0:
        assert learned < 0, f"step 3: {cell} loses in {board!r}, and its value is {learned}"
    if solution.distances[cell] == 1:
        assert learned > 0, f"step 3: {cell} wins at once in {board!r}, and its value is {learned}"
print("Moves that lose have values below 0, and lines have values above 0.")

learner = MonteCarlo(1)
won = [(late, "b1"), (late.play("b1").play("d1"), "a2")]
for _ in range(2):
    learner.learn(won, 1)
for board, cell in won:
    learned = learner.value(board, cell)
    assert round(learned, 2) == 0.36, f"step 3: after two wins, 0 is 0.36, and not {learned}"

# %%
# One learner proves nothing. So train one for each of three seeds against Random, and measure
# each in SAMPLE games *without* exploration. That takes some seconds.

GAMES = 10_000
SAMPLE = 1_000
SEEDS = (1, 2, 3)


def trained(make, seed, opponent="random", games=GAMES):
    """Yield (games, learner) after every quarter of the games."""
    learner, env = make(seed), tl.Env(opponent, seat="alternate")
    env.reset(seed=seed)  # decides what the opponent draws; one_game() begins each game
    for game in range(1, games + 1):
        learner.learn(*one_game(learner, env))
        if game % (games // 4) == 0:
            yield game, learner


learners = {}


def curves(make):
    """Print a row for each seed: the rates after each quarter, and the last as a bar."""
    print(make.__name__)
    for seed in SEEDS:
        rates = []
        for _, learner in trained(make, seed):
            rates.append(tl.evaluate(learner, "random", games=SAMPLE).rate)
        learners[make.__name__, seed] = learner
        print(seed, *(f"{rate:4.0%}" for rate in rates), "#" * round(30 * rates[-1]))


curves(MonteCarlo)

# %%
# What do the three seeds say that one would not?
#
# These rates are samples. Because the learner also has `moves(board)`, the cells among which it
# chooses, its score can be computed over all possible games, and has no interval.

score = tl.exact_score(learners["MonteCarlo", 1], "beginner")
print(f"{score.first:.4f} as Player 1, {score.second:.4f} as Player 2, {score.total:.4f} in all")

# You can say afterwards: Monte Carlo control learns from results only, each game teaches only the
# moves that it had, and a value is a running average of the results that followed, exploration
# included.

# %% Step 4: Q-learning and SARSA (15 minutes)
# Goal: see what a bootstrap is.
#
# A move need not wait for the result. The value of the learner's *next* move can stand for it:
# SARSA takes the move that it played next, Q-learning the best that it could have played. To
# learn from such a guess is called bootstrapping.
#
# Both usually learn a move at the next turn. Here all moves are learned after the game, from
# targets that were computed before any value changed. The values come out the same, because lamps
# never go back: no position comes twice in a game, so none of the new values would have been used.


class Sarsa(MonteCarlo):
    def targets(self, episode):
        """Return the target of each move but the last, whose target is the reward."""
        return [self.value(board, cell) for board, cell in episode[1:]]

    def learn(self, episode, reward):
        targets = [*self.targets(episode), reward]
        assert len(targets) == len(episode), "step 4: each move but the last needs a target"
        for (board, cell), target in zip(episode, targets, strict=True):
            self.move_towards(board, cell, target)


class QLearning(Sarsa):
    def targets(self, episode):
        raise NotImplementedError("step 4: write the method targets of QLearning")


# %%
# The values of Q-learning do not contain its own exploration. So against Perfect no value can
# have the wrong sign. Why can one of SARSA?


def check_signs(learner, tried, where):
    """Check that no value of a move in *tried*, each (board, cell), has the wrong sign."""
    for board, cell in tried:
        truth, learned = tl.solve(board).values[cell], learner.value(board, cell)
        assert truth * learned >= 0, f"{where}: {cell} in {board!r} is worth {truth}, not {learned}"


def check_from_late(learner, where):
    """Check the signs, and that a win has come back to the first move."""
    check_signs(learner, games_from_late(learner), where)
    chosen = learner.choose(late)
    assert tl.solve(late).values[chosen] == 1, (
        f"{where}: {chosen} loses, but it is played in {late!r}"
    )
    assert learner.value(late, chosen) > 0, f"{where}: no win has come back to the first move"
    print(f"No sign of {len(learner.values)} values is wrong.")


learner = QLearning(1)
learner.move_towards(*won[1], target=0.5, alpha=1)
learner.learn(won, 1)
learned = learner.value(*won[0])
assert round(learned, 2) == 0.1, f"step 4: if the next move is worth 0.5, 0 is 0.1, not {learned}"
check_from_late(QLearning(1), "step 4")

# %%
curves(Sarsa)
curves(QLearning)

# %%
# Are they better than Monte Carlo control, against Random and against Beginner, whom they never
# met? Can you tell SARSA from Q-learning with three seeds?


def show(*names):
    """Print the rates against Random, then against Beginner, and how many values seed 1 has."""
    for name in names:
        rates = [
            tl.evaluate(learners[name, seed], opponent, games=SAMPLE).rate
            for opponent in ("random", "beginner")
            for seed in SEEDS
        ]
        size = len(learners[name, 1].values)
        print(f"{name:12}", *(f"{rate:4.0%}" for rate in rates), f"{size:7,}")


show("MonteCarlo", "Sarsa", "QLearning")

# You can say afterwards: Monte Carlo moves a value towards what happened, SARSA towards what it
# believes of the next move that it played, and Q-learning towards what it believes of the best
# next move.

# %% Step 5: The same position, the same value (10 minutes)
# Goal: learn more from the same games, by one line.
#
# Two moves in two positions can lead to *one* position. Why learn its value twice? The value of
# the position after a move is called an afterstate value. Whose turn is it in an afterstate, and
# for whom is its value?


class Afterstates(QLearning):
    def key(self, board, cell):
        return board.play(cell)


# %%
# A board and its mirror images are worth the same, too. `board.canonical` is the same board for
# all of them. Write the key that is one for all moves to the same board or to a mirror image of
# it.


class Mirrors(QLearning):
    def key(self, board, cell):
        raise NotImplementedError("step 5: write the method key of Mirrors")


# %%
# Moves with one key must have one exact value, and a move must share its key with its mirror
# images: by half a turn, from left to right, and from top to bottom. Each of these says where a
# cell of the image comes from.

images = (
    range(11, -1, -1),
    (3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8),
    (8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3),
)
truths = {}
for seed in range(20):
    for board in tl.play_game("random", "random", seed=seed).boards[:-1]:
        for cell, truth in tl.solve(board).values.items():
            shared = Mirrors(1).key(board, cell)
            assert truths.setdefault(shared, truth) == truth, (
                f"step 5: {shared!r} is a key of unlike moves"
            )
            for places in images:
                image = tl.Board([board.colours[place] for place in places])
                there = tl.CELLS[places[tl.CELLS.index(cell)]]
                theirs = Mirrors(1).key(image, there)
                assert theirs == shared, f"step 5: {there} in {image!r} has another key than {cell}"
print(f"{len(truths):,} keys are right.")
check_from_late(Mirrors(1), "step 5")  # if this fails: do your targets come from self.value?

# %%
curves(Afterstates)
curves(Mirrors)
show("QLearning", "Afterstates", "Mirrors")

# You can say afterwards: what I may treat as the same, I need to learn only once. Against Random,
# sharing values was worth more than the algorithm.

# %% Step 6: Find the mistake (20 minutes)
# Goal: debug a learner by looking at values.
#
# Anna plays both sides and learns every move, in 3,000 games. Ben builds on `Mirrors` and
# plays 10,000, as `Mirrors` did. Anna and Ben have one mistake each. They do not crash, and they
# even learn. Their code is in a module, so that you do not see it yet.

Anna, Ben = broken.anna_and_ben(Mirrors)
anna = Anna(1)
for _ in range(3 * GAMES // 10):
    anna.play_game()
*_, (_, ben) = trained(Ben, seed=1)
mirrors = learners["Mirrors", 1]
for name, learner in (("Anna", anna), ("Ben", ben), ("Mirrors", mirrors)):
    print(name, tl.evaluate(learner, "random", games=SAMPLE).rate)

# %%
# Look at values in positions where you know the truth, and at what the learner plays there. Here
# Player 1 is to move and can win at once; after any other move Player 2 wins.
#
# A value that was learned against Random is not exact, because Random often misses its win, and
# 0.00 may mean that a move was never learned. So ask: is the winning move worth +1, is it above
# all others, is it played? What does Anna believe of a win of the other player? What makes Ben
# weaker than `Mirrors`?


def look(learner, board):
    """Print what *learner* believes of each move, and what it plays in ten tries."""
    print(tl.Values(board, {cell: learner.value(board, cell) for cell in board.legal_moves}))
    print("plays", *(learner.choose(board) for _ in range(10)))


known = tl.Board("1100/0000/0000")
print(known, tl.solve(known), sep="\n")
for name, learner in (("Anna", anna), ("Ben", ben), ("Mirrors", mirrors)):
    print(name)
    look(learner, known)

# %%
# When you know both mistakes, read the code: remove the # of the next line. Then write both
# methods without their mistake; here `Board` is `tl.Board`, and `super()` would be Ben.

# import inspect; print(inspect.getsource(broken))


class SoundAnna(Anna):
    def play_game(self):
        raise NotImplementedError("step 6: write the method play_game of SoundAnna")


class SoundBen(Ben):
    def choose(self, board):
        raise NotImplementedError("step 6: write the method choose of SoundBen")


# %%
# Anna learns the moves of both players, and each target is the value of a best move. So none of
# her values has the wrong sign, as with Q-learning against Perfect.

sound_anna = SoundAnna(1)
for _ in range(3 * GAMES // 10):
    sound_anna.play_game()
check_signs(sound_anna, [(known, cell) for cell in known.legal_moves], "step 6, Anna")
for seed in range(20):
    for players in ((sound_anna, "random"), ("random", sound_anna)):
        for board in tl.play_game(*players, seed=seed).boards[:-1]:
            check_signs(sound_anna, [(board, cell) for cell in board.legal_moves], "step 6, Anna")
lowest, highest = (one(sound_anna.values.values(), default=0) for one in (min, max))
assert -1 <= lowest < 0 < highest <= 1, "step 6: Anna must learn from wins and from losses"

sound_ben = SoundBen(1)
sound_ben.values = ben.values
played = {sound_ben.choose(known) for _ in range(200)}
assert played == {*tl.solve(known).best}, f"step 6: Ben plays {played}, and only c1 wins"
for name, learner in (("Anna", sound_anna), ("Ben", sound_ben)):
    print(name, tl.evaluate(learner, "random", games=SAMPLE).rate)

# You can say afterwards: a rate says that something is wrong. The values and the moves in a
# position that I know say what.

# %% Step 7, at home: Why does nothing work against Myopic? (20 minutes)
# Goal: see how far a reward travels. Each row of three seeds takes a quarter of a minute or more.


def against_myopic(make, seed, start_of=None):
    """Return the rate against Myopic after GAMES games, which may begin at a later board."""
    learner, env = make(seed), tl.Env("myopic", seat="alternate")
    env.reset(seed=seed)
    for game in range(GAMES):
        start = start_of(game / GAMES, GAMES * seed + game) if start_of else None
        learner.learn(*one_game(learner, env, start=start))
    return tl.evaluate(learner, "myopic", games=SAMPLE).rate


print(*(against_myopic(Mirrors, seed) for seed in SEEDS))

# %%
# Nearly every reward is -1, so it learns that everything loses. Two ideas help. The first is to
# start *near the end* of games, where one move wins, and to go back from there. The second is to
# learn a game from its last move to its first, so that its result travels to the first move at
# once. Write the second: the target of the last move is the reward, and the target of each move
# before it is the value of the best move in the position that you have just learned.


def near_the_end(progress, seed):
    """Return a board of a game of Myopic; the later in training, the earlier in the game.

    In the last two fifths, games begin at the empty board.
    """
    boards = tl.play_game("myopic", "myopic", seed=seed).boards
    moves_left = 1 + int(progress / 0.6 * (len(boards) - 1))
    return boards[max(0, len(boards) - 1 - moves_left)]


class Backwards(Mirrors):
    def learn(self, episode, reward):
        raise NotImplementedError("step 7: write the method learn of Backwards")


# %%
learner, env, reward = Backwards(1), tl.Env("random"), -1
env.reset(seed=1)
while reward < 0:
    episode, reward = one_game(learner, env)
    learner.learn(episode, reward)
assert learner.value(*episode[0]) > 0, "step 7: a win has not travelled to its first move"
check_from_late(Backwards(1), "step 7")

for make, start_of in ((Mirrors, near_the_end), (Backwards, None), (Backwards, near_the_end)):
    print(make.__name__, *(against_myopic(make, seed, start_of) for seed in SEEDS))

# %%
# Is one idea enough? What would you have believed after the first seed alone? Now the program's
# own learner plays as many games. It learns backwards and begins at the empty board. What else
# does it do? The page "How it learns" says it.

print(tl.evaluate(tl.train("myopic", games=GAMES), "myopic").rate)

# %% At home: The pupil (5 minutes)
# Goal: tell a strong player from a good pupil. Guess its rates against Random and Beginner first.
# It always loses against perfect play: as which player was that its own fault?


class Teacher(Completes):
    def moves(self, board):
        return [self.choose(board)]


*_, (_, pupil) = trained(Mirrors, seed=1, opponent=Teacher(), games=GAMES // 10)
print(tl.exact_score(pupil, Teacher()), tl.exact_score(pupil, "perfect"))
print(*(tl.evaluate(pupil, opponent, games=SAMPLE).rate for opponent in ("random", "beginner")))

# You can say afterwards: it has learned its teacher and not the game.

# %% At home: Self-play (10 minutes)
# Goal: see what a player learns that only meets itself. Without a single game against Random or
# Beginner, does your `SoundAnna` become better against them than `Mirrors`, with twice the games?

alone = SoundAnna(1)
for quarter in range(1, 5):
    for _ in range(GAMES // 2):
        alone.play_game()
    rates = (
        tl.evaluate(alone, name, games=SAMPLE).rate for name in ("random", "beginner", "myopic")
    )
    print(f"{quarter * GAMES // 2:6,}", *(f"{rate:4.0%}" for rate in rates))

# You can say afterwards: against itself, a learner meets an opponent that gets better as it does,
# but only in the positions to which both lead.
