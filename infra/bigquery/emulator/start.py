"""Starts bqemulator with changes for the local server. Passes all arguments on to bqemulator."""

from bqemulator.storage.engine import DuckDBEngine
from bqemulator.versioning.snapshots import SnapshotManager

# bqemulator would download this extension at each start. Only GEOGRAPHY needs it.
DuckDBEngine._load_spatial = lambda self: None
# bqemulator copies the whole table after each change, for queries of past states. The copies would fill the memory and are not needed.
SnapshotManager.capture = lambda self, *table, kind="AUTO": None

from bqemulator.cli import main  # noqa: E402

main()
