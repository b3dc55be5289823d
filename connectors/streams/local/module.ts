import type { StreamLogModule } from '../../stream-log-adapter.ts';
import { FollowedLog } from './followed-log.ts';
import { list } from './listing.ts';
import { behind, loadedStreams, openLocalView, probe } from './looking.ts';
import { openLocalLog } from './open.ts';
import type { LocalStreamsSettings } from './options.ts';

export const localStreams: StreamLogModule<LocalStreamsSettings> = {
  open: ({ folder, logger, metrics, onStep }) =>
    openLocalLog({ folder, logger, metrics, ...(onStep === undefined ? {} : { onStep }) }),
  openReader: async ({ folder, commit }) => new FollowedLog(folder, commit),
  openView: ({ folder }) => openLocalView(folder),
  state: async ({ folder }, { reach }) => ({ streams: await loadedStreams(folder, await reach()), members: [] }),
  list: ({ folder }, _, now) => list(folder, now),
  behind: ({ folder }, reach) => behind(folder, reach),
  probe: ({ folder }, loaded, how) => probe(folder, loaded, how),
};
