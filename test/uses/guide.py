"""Runs the code of a guide, as a reader would type it into one session.

Standard input is a JSON object with `blocks`, which run in order, and `calls`, which are expressions on a connection `con`. The
output is a JSON object with what each block prints, and with the type of the result of each call, or of its error. A number stands
for itself. A warning in a block is an error.
"""

import contextlib
import io
import json
import os
import sys
import warnings

names = {"query": "select 1 as one"}


def printed(block):
    out = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(out):
        warnings.simplefilter("error")
        exec(block, names)
    return out.getvalue()


def result(call):
    try:
        value = eval(call, {**names, "con": names["con"].cursor()})
        return value if isinstance(value, int) else type(value).__name__
    except Exception as error:
        return type(error).__name__


task = json.load(sys.stdin)
found = {"blocks": [printed(block) for block in task["blocks"]], "calls": [result(call) for call in task["calls"]]}
print(json.dumps(found), flush=True)
# DuckDB 1.4 can hang when it closes a connection whose reader has not ended.
os._exit(0)
