/* What a game must offer to module.c.  One game is compiled at a time: -DGAME='"omweso.h"'. */
#ifndef GAME_H
#define GAME_H

#include <stdint.h>
#include <string.h>

#define MOST_PITS 32
#define MOST_MOVES 64

typedef struct {
    uint8_t pits[MOST_PITS];    /* South's, then North's */
    int stores[2];
    int to_move;
    int facts[5];               /* what the game itself needs */
    int ended;                  /* by the last move, where the board does not tell */
    int begun;                  /* moves of the turn so far */
    uint8_t moves[MOST_MOVES];
    uint8_t before[MOST_PITS];  /* the board when the turn began */
} State;

static void start(State *state);
static int legal_moves(const State *state, int *moves);     /* how many; 0: the game is over */
static void play(State *state, int move);                   /* the move is legal */
static int is_between_turns(const State *state);

#endif
