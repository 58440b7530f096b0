/* A game in plain C as a Python module: immutable positions, as arena.games has them, and whole games in C. */
#include <Python.h>

#include "game.h"
#include GAME

#define MOST_TURNS 1000         /* that a history can hold */

typedef struct {
    PyObject_HEAD
    State state;
} Position;

static PyTypeObject PositionType;

static PyObject *position_legal_moves(PyObject *self, PyObject *unused)
{
    int moves[MOST_MOVES];
    int count = legal_moves(&((Position *)self)->state, moves);
    PyObject *listed = PyTuple_New(count);
    (void)unused;
    for (int index = 0; listed && index < count; index++)
        PyTuple_SET_ITEM(listed, index, PyLong_FromLong(moves[index]));
    return listed;
}

static PyObject *position_play(PyObject *self, PyObject *move)
{
    const State *state = &((Position *)self)->state;
    int moves[MOST_MOVES];
    int count = legal_moves(state, moves), wanted = (int)PyLong_AsLong(move), index = 0;
    while (index < count && moves[index] != wanted)
        index++;
    if (index == count)
        return PyErr_Format(PyExc_ValueError, "move %d is illegal", wanted);
    Position *after = PyObject_New(Position, &PositionType);
    if (after) {
        after->state = *state;
        play(&after->state, wanted);
    }
    return (PyObject *)after;
}

static PyObject *position_pits(PyObject *self, void *unused)
{
    PyObject *pits = PyTuple_New(PITS);
    (void)unused;
    for (int pit = 0; pits && pit < PITS; pit++)
        PyTuple_SET_ITEM(pits, pit, PyLong_FromLong(((Position *)self)->state.pits[pit]));
    return pits;
}

static PyMethodDef position_methods[] = {
    {"legal_moves", position_legal_moves, METH_NOARGS, NULL},
    {"play", position_play, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef position_attributes[] = {{"pits", position_pits, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL, NULL}};

static PyTypeObject PositionType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "plain_c.Position",
    .tp_basicsize = sizeof(Position),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = position_methods,
    .tp_getset = position_attributes,
};

static PyObject *initial(PyObject *module, PyObject *unused)
{
    Position *position = PyObject_New(Position, &PositionType);
    (void)module, (void)unused;
    if (position)
        start(&position->state);
    return (PyObject *)position;
}

typedef struct {
    uint64_t hashes[MOST_TURNS + 1];
    State states[MOST_TURNS + 1];
    int count, quiet, turns;
} History;

/* How often the board has occurred since seeds last left the board for good, this time included. */
static int note(History *history, const State *state)
{
    uint64_t hash = 1469598103934665603u + state->to_move;
    int times = 1;
    for (int pit = 0; pit < PITS; pit++)
        hash = (hash ^ state->pits[pit]) * 1099511628211u;
    for (int earlier = 0; earlier < history->count; earlier++)
        if (history->hashes[earlier] == hash)
            times += !memcmp(history->states[earlier].pits, state->pits, PITS)
                && history->states[earlier].to_move == state->to_move;
    history->hashes[history->count] = hash;
    history->states[history->count++] = *state;
    return times;
}

static int ends(History *history, const State *before, const State *after)
{
    int is_quiet = before->stores[0] == after->stores[0] && before->stores[1] == after->stores[1];
    history->quiet = is_quiet ? history->quiet + 1 : 0;
    if (!is_quiet)
        history->count = 0;
    history->turns++;
    return note(history, after) >= OCCURRENCES || (QUIET_LIMIT && history->quiet >= QUIET_LIMIT)
        || (TURN_LIMIT && history->turns >= TURN_LIMIT);
}

/* play_out(seed): the number of moves of the game that arena.games.playout draws with this seed. */
static PyObject *play_out(PyObject *module, PyObject *argument)
{
    static History history;
    long made = 0, chance = 1 + PyLong_AsLong(argument) % 2147483646;
    int moves[MOST_MOVES], count;
    State state, before;
    (void)module;
    history.count = history.quiet = history.turns = 0;
    start(&state);
    before = state;
    note(&history, &state);
    while ((count = legal_moves(&state, moves))) {
        chance = chance * 48271 % 2147483647;
        play(&state, moves[chance % count]);
        made++;
        if (state.ended || is_between_turns(&state)) {
            if (ends(&history, &before, &state))
                break;
            before = state;
        }
    }
    return PyLong_FromLong(made);
}

static PyMethodDef functions[] = {
    {"initial", initial, METH_NOARGS, NULL},
    {"play_out", play_out, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = NAME, .m_size = -1, .m_methods = functions};

PyMODINIT_FUNC INIT(void)
{
    return PyType_Ready(&PositionType) < 0 ? NULL : PyModule_Create(&definition);
}
