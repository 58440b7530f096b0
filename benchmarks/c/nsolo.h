/* Nsolo on eight columns; numbers: docs/rules/nsolo.md.  facts[0]: stones still to strip. */
#define OCCURRENCES 2
#define QUIET_LIMIT 0
#define TURN_LIMIT 800
#define PITS 32
#define SIDE 16
#define MOST_LAPS 2000

static void start(State *state)
{
    memset(state, 0, sizeof *state);
    memset(state->pits, 2, PITS);
    state->pits[0] = state->pits[SIDE] = 0;                                 /* N1 */
}

static int stones_of(const State *state, int side)
{
    int stones = 0;
    for (int pit = 0; pit < SIDE; pit++)
        stones += state->pits[SIDE * side + pit];
    return stones;
}

static int legal_moves(const State *state, int *moves)
{
    const uint8_t *own = state->pits + SIDE * state->to_move;
    const uint8_t *theirs = state->pits + SIDE * (1 - state->to_move);
    int count = 0;
    if (state->ended || !stones_of(state, 0) || !stones_of(state, 1))       /* N6 */
        return 0;
    if (state->facts[0]) {
        for (int pit = 0; pit < SIDE; pit++)
            if (theirs[pit])
                moves[count++] = SIDE + pit;
        return count;
    }
    for (int pit = 0; pit < SIDE; pit++)
        if (own[pit] >= 2)
            moves[count++] = pit;
    if (count)
        return count;
    for (int pit = 0; pit < SIDE; pit++)
        if (own[pit] && !own[(pit + 1) % SIDE])
            moves[count++] = pit;
    if (!count)
        moves[count++] = 2 * SIDE;                                          /* N3c */
    return count;
}

static int sow(uint8_t *own, int pit)
{
    static uint8_t met[MOST_LAPS][SIDE + 1];
    for (int laps = 0; laps < MOST_LAPS; laps++) {
        int stones = own[pit];
        own[pit] = 0;
        for (int lap = laps - 1; lap >= 0; lap--)
            if (met[lap][SIDE] == pit && !memcmp(met[lap], own, SIDE))
                return -1;                                                  /* N6 */
        memcpy(met[laps], own, SIDE);
        met[laps][SIDE] = pit;
        while (stones--) {
            pit = (pit + 1) % SIDE;
            own[pit]++;
        }
        if (own[pit] == 1)
            return pit;
    }
    return -1;
}

static void play(State *state, int move)
{
    int mover = state->to_move;
    uint8_t *own = state->pits + SIDE * mover, *theirs = state->pits + SIDE * (1 - mover);
    if (move == 2 * SIDE) {
        state->to_move = 1 - mover;
        return;
    }
    if (move >= SIDE) {
        theirs[move - SIDE]--;
        state->stores[mover]++;
        if (!--state->facts[0])
            state->to_move = 1 - mover;
        return;
    }
    uint8_t before[SIDE];
    memcpy(before, own, SIDE);
    int last = sow(own, move);
    if (last < 0) {
        memcpy(own, before, SIDE);
        state->ended = 1;
        return;
    }
    if (last < 8 && theirs[7 - last]) {                                     /* N4 */
        int captured = theirs[7 - last], left;
        theirs[7 - last] = 0;
        state->stores[mover] += captured;
        left = stones_of(state, 1 - mover);
        state->facts[0] = captured < left ? captured : left;
        if (state->facts[0])
            return;
    }
    state->to_move = 1 - mover;
}

static int is_between_turns(const State *state)
{
    return !state->facts[0];
}
