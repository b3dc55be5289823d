"""Starts bqemulator with changes for the local server. Passes all arguments on to bqemulator."""

import ipaddress
import os

import bqemulator.server
import bqemulator.sql.inner_query
from bqemulator.storage.engine import DuckDBEngine
from bqemulator.versioning.snapshots import SnapshotManager
from starlette.responses import PlainTextResponse

# bqemulator would download this extension at each start. Only GEOGRAPHY needs it.
DuckDBEngine._load_spatial = lambda self: None
# bqemulator copies the whole table after each change, for queries of past states. The copies would fill the memory and are not needed.
SnapshotManager.capture = lambda self, *table, kind="AUTO": None
# bqemulator replaces each view by its text, so that row access policies reach it. There are none, and to translate the text of
# nested views takes up to a minute. DuckDB has the views, too.
bqemulator.sql.inner_query.rewrite_for_row_access = lambda sql, **_: sql

# The local server sends no Origin. Its Host is this name or an IP address.
OWN_HOSTS = {"localhost", os.environ.get("AORTA_EMULATOR_HOST", "localhost").lower()}


def is_own(headers):
    """Returns whether a request cannot come from a page in a browser (see infra/runtime/request-source.ts)."""
    host = headers.get(b"host", b"").decode("latin-1").lower()
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    if name not in OWN_HOSTS:
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
    return b"origin" not in headers


class OwnRequests:
    """Refuses all other requests, before anything else of the emulator sees them."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http" and not is_own(dict(scope["headers"])):
            refusal = "Send requests to the local server: this port refuses others, by their headers Host and Origin.\n"
            return await PlainTextResponse(refusal, 403)(scope, receive, send)
        return await self.app(scope, receive, send)


create_app = bqemulator.server.create_app


def create_guarded_app(context):
    app = create_app(context)
    # The middleware that is added last runs first.
    app.add_middleware(OwnRequests)
    return app


bqemulator.server.create_app = create_guarded_app

from bqemulator.cli import main  # noqa: E402

main()
