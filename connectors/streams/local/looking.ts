import { existsSync } from 'node:fs';
import { isAortaError } from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import { type Finding, failure } from '../../finding.ts';
import { inUse, partitionName, type StreamPartition } from '../../stream-log.ts';
import type { LoadedRecords, LoadedStream, ProbeOfStreams, Reach, StreamsView } from '../../stream-log-adapter.ts';
import { SegmentError } from './errors.ts';
import type { LocalLog } from './local-log.ts';
import { openLocalLog } from './open.ts';

/**
 * Opens the streams in a folder read-only, because another process may be writing to them. Rejects with AORTA-STREAMS-MISSING if
 * the folder does not exist.
 */
async function openToLook(folder: string): Promise<LocalLog> {
  if (!existsSync(folder)) throw new SegmentError('AORTA-STREAMS-MISSING', { folder });
  return await openLocalLog({ folder, readOnly: true });
}

export async function withStreams<T>(folder: string, look: (streams: LocalLog) => Promise<T>): Promise<T> {
  await using streams = await openToLook(folder);
  return await look(streams);
}

/** Opens a view of the streams in a folder. Each call of `look` reopens the streams, because another process may have replaced them. */
export async function openLocalView(folder: string): Promise<StreamsView> {
  let log = await openToLook(folder);
  return {
    assigned: () => log.assigned(),
    start: (of) => log.start(of),
    end: (of) => log.end(of),
    read: (of, from, limit) => log.read(of, from, limit),
    groups: (of) => log.groups(of),
    committed: (group, of) => log.committed(group, of),
    look: async () => {
      await log.close();
      log = await openToLook(folder);
    },
    [Symbol.asyncDispose]: () => log.close(),
  };
}

function behindOf(streams: LocalLog, of: StreamPartition, reach: Reach): number {
  const at = reach.get(partitionName(of));
  return Math.max(0, streams.end(of) - (at?.incarnation === streams.incarnation(of) ? at.position : streams.start(of)));
}

/** Counts how many records of all streams are not in the tables yet. */
export function behind(folder: string, reach: Reach): Promise<number> {
  return withStreams(folder, async (log) => inUse(log).reduce((sum, of) => sum + behindOf(log, of, reach), 0));
}

/** Lists the streams and how many records of each are already in the tables. The list is empty if there are no streams. */
export async function loadedStreams(folder: string, reach: Reach): Promise<readonly LoadedStream[]> {
  try {
    return await withStreams(folder, async (log) =>
      inUse(log).map((of) => {
        const [records, lag] = [log.end(of) - log.start(of), behindOf(log, of, reach)];
        return { stream: of.stream, records, landed: records - lag, lag };
      }),
    );
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const isMissing = (error: unknown): boolean => isAortaError(error) && error.code === 'AORTA-STREAMS-MISSING';

/** Checks that the streams are readable, and counts the records that are not in the tables yet. */
export async function probe(folder: string, { reach }: LoadedRecords, { isWritten }: ProbeOfStreams): Promise<Finding> {
  const check = 'streams';
  try {
    // If the warehouse does not answer, the warehouse check reports the reason.
    const reached = reach().catch(() => undefined);
    const [names, records] = await withStreams(folder, async (log) => {
      const present = inUse(log);
      // Reading the last record of each partition shows that its segment is intact.
      for (const of of present) {
        await log.read(of, Math.max(log.start(of), log.end(of) - 1), { records: 1, bytes: 1 });
        await log.read(of, log.end(of), { records: 1, bytes: 1 });
      }
      const at = await reached;
      return [present, at && present.reduce((sum, of) => sum + behindOf(log, of, at), 0)] as const;
    });
    const found = `${counted(names.length, 'stream')} can be read`;
    if (records === undefined) return { check, state: 'ok', found: `${found}; the lag of the tables is unknown` };
    if (records === 0 || isWritten()) return { check, state: 'ok', found };
    return {
      check,
      state: 'warn',
      found: `${found}; ${counted(records, 'record')} not in the tables yet`,
      remedy: 'Load them with `aorta run --only loading --once`.',
    };
  } catch (error) {
    if (isMissing(error)) return { check, state: 'ok', found: 'none yet' };
    return failure(check, error);
  }
}
