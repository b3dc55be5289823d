"""Starts bqemulator as the local server needs it; all words are its own."""

from bqemulator.storage.engine import DuckDBEngine
from bqemulator.versioning.snapshots import SnapshotManager

# The extension would be fetched from the network at each start. Only GEOGRAPHY needs it.
DuckDBEngine._load_spatial = lambda self: None
# A copy of the whole table after each change, for queries of the past: they would fill the memory, and nothing asks for them.
SnapshotManager.capture = lambda self, *table, kind="AUTO": None

from bqemulator.cli import main  # noqa: E402

main()
