# expect: plays; ordinary modules of the standard library are there
import abc, array, base64, bisect, collections, contextlib, copy, csv, dataclasses, datetime, decimal, enum
import fractions, functools, gc, hashlib, heapq, inspect, io, itertools, json, logging, math, operator, pathlib
import pickle, pprint, queue, random, re, statistics, string, struct, textwrap, threading, time, traceback
import types, typing, unittest, uuid, warnings, weakref, zlib


def choose_move(position):
    assert hashlib.sha256(b"").hexdigest().startswith("e3b0") and decimal.Decimal("0.1") * 3 == decimal.Decimal("0.3")
    return position.legal_moves()[0]
