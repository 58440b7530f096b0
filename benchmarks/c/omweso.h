/* Omweso, default options; numbers: docs/rules/omweso.md.  facts: turns made (2), capturing turns made (2). */
#define OCCURRENCES 3
#define QUIET_LIMIT 0
#define TURN_LIMIT 1000
#define PITS 32
#define SIDE 16
#define COLUMNS 8
#define MOST_LAPS 2000
#define FORWARD 1
#define BACKWARD 15

enum { GOES_ON, NEVER_ENDING, AWARDED };

static void start(State *state)
{
    memset(state, 0, sizeof *state);
    memset(state->pits + 8, 4, 8);                                          /* O1 */
    memset(state->pits + 24, 4, 8);
}

static int legal_moves(const State *state, int *moves)
{
    const uint8_t *own = state->pits + SIDE * state->to_move;
    int count = 0;
    if (state->ended)
        return 0;
    if (state->begun) {
        moves[0] = 32;
        moves[1] = 33;
        return 2;
    }
    for (int pit = 0; pit < SIDE; pit++)
        if (own[pit] >= 2)
            moves[count++] = pit;                                           /* O3 */
    if (!state->facts[2] && !state->facts[3])
        for (int pit = 0; pit < SIDE; pit++)
            if (own[pit] == 3)
                moves[count++] = SIDE + pit;                                /* O4 */
    return count;
}

typedef struct {
    uint8_t *own, *theirs;
    int may_capture, start, hand, columns, laps, met_count;
    uint8_t met[MOST_LAPS][SIDE + 1];
} Turn;

static int captures_at(const Turn *turn, int pit)
{
    return turn->may_capture && pit < COLUMNS && turn->theirs[7 - pit] && turn->theirs[COLUMNS + pit];     /* O5 */
}

static void sow_lap(Turn *turn, int direction)
{
    int pit = turn->start;
    for (int hand = turn->hand; hand; hand--) {
        pit = (pit + direction) & 15;
        turn->own[pit]++;
    }
    if (turn->own[pit] == 1) {
        turn->hand = 0;
    } else if (captures_at(turn, pit)) {
        turn->columns |= 1 << pit;
        turn->met_count = 0;
        turn->hand = turn->theirs[7 - pit] + turn->theirs[COLUMNS + pit];
        turn->theirs[7 - pit] = turn->theirs[COLUMNS + pit] = 0;
    } else {
        turn->start = pit;
        turn->hand = turn->own[pit];
        turn->own[pit] = 0;
    }
}

static int never_ends(Turn *turn)
{
    if (turn->laps++ >= MOST_LAPS)
        return 1;
    for (int lap = turn->met_count - 1; lap >= 0; lap--)
        if (turn->met[lap][SIDE] == turn->start && !memcmp(turn->met[lap], turn->own, SIDE))
            return 1;                                                       /* O7 */
    memcpy(turn->met[turn->met_count], turn->own, SIDE);
    turn->met[turn->met_count++][SIDE] = turn->start;
    return 0;
}

/* 0: the turn is over, 1: a direction is asked for, 2: it never ends. */
static int make(Turn *turn, int move)
{
    if (move < SIDE) {
        turn->start = move;
        turn->hand = turn->own[move];
        turn->own[move] = 0;
    } else if (move < 2 * SIDE) {
        int pit = move - SIDE;
        turn->own[pit] = 0;
        turn->own[(pit + 1) & 15] += 2;
        turn->own[(pit + 2) & 15]++;
    } else {
        sow_lap(turn, move == 32 ? FORWARD : BACKWARD);
    }
    while (turn->hand) {
        if (never_ends(turn))
            return 2;
        if (turn->may_capture && turn->start >= 6 && turn->start <= 9) {    /* O6 */
            int last = (turn->start - turn->hand) & 15;
            if (turn->own[last] + (turn->hand - 1) / SIDE && captures_at(turn, last))
                return 1;
        }
        sow_lap(turn, FORWARD);
    }
    return 0;
}

static int is_awarded(const State *state, int columns)
{
    const uint8_t *theirs = state->pits + SIDE * (1 - state->to_move);
    int front = 0, back = 0;
    if (!columns)
        return 0;
    for (int pit = 0; pit < COLUMNS; pit++) {
        front |= theirs[pit];
        back |= theirs[COLUMNS + pit];
    }
    return !front || (!front && !back) || (columns & 0x81) == 0x81;         /* O8 */
}

static void play(State *state, int move)
{
    static Turn turn;
    int mover = state->to_move, end;
    if (!state->begun)
        memcpy(state->before, state->pits, PITS);
    else
        memcpy(state->pits, state->before, PITS);
    turn.own = state->pits + SIDE * mover;
    turn.theirs = state->pits + SIDE * (1 - mover);
    turn.may_capture = state->facts[mover];
    turn.hand = turn.columns = turn.laps = turn.met_count = 0;
    for (int earlier = 0; earlier < state->begun; earlier++)
        make(&turn, state->moves[earlier]);
    end = make(&turn, move);
    if (end == 2) {
        memcpy(state->pits, state->before, PITS);
        state->begun = 0;
        state->ended = NEVER_ENDING;
    } else if (end == 1) {
        state->moves[state->begun++] = move;
    } else {
        state->begun = 0;
        state->facts[mover] = 1;
        if (turn.columns && state->facts[2 + mover] < 2)
            state->facts[2 + mover]++;
        state->ended = is_awarded(state, turn.columns) ? AWARDED : GOES_ON;
        state->to_move = 1 - mover;
    }
}

static int is_between_turns(const State *state)
{
    return !state->begun;
}
