/* A game in plain C as a Python module: immutable positions, as arena.games has them, and playouts in C. */
#include <Python.h>

#include "game.h"
#include GAME

#define MOST_TURNS 500

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

/* playouts(games, seed): how many moves so many random games took, each of at most MOST_TURNS turns. */
static PyObject *playouts(PyObject *module, PyObject *arguments)
{
    long games, chance, made = 0;
    int moves[MOST_MOVES];
    (void)module;
    if (!PyArg_ParseTuple(arguments, "ll", &games, &chance))
        return NULL;
    for (long game = 0; game < games; game++) {
        State state;
        int turns = 0, count;
        start(&state);
        while (turns < MOST_TURNS && (count = legal_moves(&state, moves))) {
            chance = chance * 48271 % 2147483647;
            play(&state, moves[chance % count]);
            made++;
            turns += is_between_turns(&state);
        }
    }
    return PyLong_FromLong(made);
}

static PyMethodDef functions[] = {
    {"initial", initial, METH_NOARGS, NULL},
    {"playouts", playouts, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = NAME, .m_size = -1, .m_methods = functions};

PyMODINIT_FUNC INIT(void)
{
    return PyType_Ready(&PositionType) < 0 ? NULL : PyModule_Create(&definition);
}
