"""A second implementation of every game, slow and plain, written from the rules text alone: one module per game.

`test_oracle.py` plays random games through `arena.games.Game` and through the oracle side by side and compares
everything after each move.  An oracle imports nothing from `arena` and is never optimised.

Each module has a class `Oracle`:

    Oracle(options)          options: every option of the game by name, as `Rules.options` gives them
    .initial() -> state      anything immutable or never changed again; it carries the history of the game
    .start(pits, stores, to_move) -> state
                             the game begun from a board; the rest as `Rules.position` has it by default
    .legal(state) -> list    the legal moves, ascending; [] when the game is over for whatever reason
    .play(state, move)       the next state; the move is legal
    .view(state)             (pits, stores, to_move, hand): tuple, pair, 0 or 1, int, as `Position` shows them;
                             to_move is not compared once the game is over; hand is 0 while seeds are set up
    .outcome(state)          None, or (winner, ending, seeds, points): 0, 1 or None; the ending's word; a pair of
                             seeds after settlement; a pair of points, exact (int or Fraction)

The state's history covers what `Game` knows: repetition, the quiet limit, the limit on turns.
A move is an int of the game's number space (docs/rules); a turn of several moves passes through mid-turn states.
"""
