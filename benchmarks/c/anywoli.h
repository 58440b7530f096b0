/* Anywoli; numbers: docs/rules/anywoli.md. */
#define OCCURRENCES 2
#define QUIET_LIMIT 500
#define TURN_LIMIT 0
#define PITS 24
#define SEEDS 96
#define MOST_LAPS 4096

static void start(State *state)
{
    memset(state, 0, sizeof *state);
    memset(state->pits, 4, PITS);                                           /* A1 */
}

static int legal_moves(const State *state, int *moves)
{
    int count = 0;
    for (int pit = 0; pit < 12; pit++)
        if (state->pits[12 * state->to_move + pit])
            moves[count++] = pit;
    return count;
}

static int capture(State *state, int pit, int side, int hand)
{
    state->stores[side] += state->pits[pit];
    state->pits[pit] = 0;
    if (state->stores[0] + state->stores[1] < SEEDS - 4)
        return 0;
    for (int rest = 0; rest < PITS; rest++) {                               /* A10 */
        state->stores[side] += state->pits[rest];
        state->pits[rest] = 0;
    }
    state->stores[side] += hand;
    return 1;
}

static int sow_lap(State *state, int pit)
{
    int hand = state->pits[pit];
    state->pits[pit] = 0;
    while (hand) {
        pit = pit + 1 < PITS ? pit + 1 : 0;
        state->pits[pit]++;
        hand--;
        if (hand && state->pits[pit] == 4 && capture(state, pit, pit / 12, hand))   /* A6 */
            return -1;
    }
    return pit;
}

static int relay(State *state, int pit)
{
    static uint8_t met[MOST_LAPS][PITS + 1];
    for (int laps = 0; laps < MOST_LAPS; laps++) {
        for (int lap = laps - 1; lap >= 0; lap--)
            if (met[lap][PITS] == pit && !memcmp(met[lap], state->pits, PITS))
                return 0;                                                   /* A9 */
        memcpy(met[laps], state->pits, PITS);
        met[laps][PITS] = pit;
        pit = sow_lap(state, pit);
        if (pit < 0 || state->pits[pit] == 1)
            return 0;
        if (state->pits[pit] == 4) {
            capture(state, pit, state->to_move, 0);
            return 1;                                                       /* A7 */
        }
    }
    return 0;
}

static void play(State *state, int move)
{
    int mover = state->to_move;
    int next = relay(state, 12 * mover + move) ? mover : 1 - mover;
    int seeds = 0;
    for (int pit = 0; pit < 12; pit++)
        seeds |= state->pits[12 * next + pit];
    state->to_move = seeds ? next : 1 - next;                               /* A4 */
}

static int is_between_turns(const State *state)
{
    (void)state;
    return 1;
}
