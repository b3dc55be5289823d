"""A program that opens a DuckDB file and runs each line of standard input as a statement: program.py FILE [read_only]

Prints one line for each statement: the first value of its result, or the error.
"""

import sys

import duckdb

try:
    connection = duckdb.connect(sys.argv[1], read_only="read_only" in sys.argv)
    print("opened", flush=True)
except Exception as error:
    print(str(error).replace("\n", " "), flush=True)
    sys.exit(1)
for line in sys.stdin:
    try:
        row = connection.execute(line).fetchone()
        print("none" if row is None else row[0], flush=True)
    except Exception as error:
        print(str(error).replace("\n", " "), flush=True)
