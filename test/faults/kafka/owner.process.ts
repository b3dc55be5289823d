import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StreamLogAdapter } from '@aorta/connectors';
import { builtIn, type Registry } from '@aorta/connectors/registry';
import { Progress, silentMetrics } from '@aorta/runtime';
import { createLogger } from '@aorta/runtime/json-logger';
import { readSetting, runPipeline } from 'aorta/internals';
import { openEnrichment } from '../../../pipelines/aorta/run/enrichment.ts';

/**
 * Runs enrichment with the configuration of a folder until SIGTERM: `node owner.process.ts FOLDER JOB STREAM NOW`. If the folder
 * has a file `freeze-state`, the process freezes itself with SIGSTOP before the next write of the state of JOB. With a file
 * `freeze-records`, it freezes before it appends the next record to STREAM. NOW is the time at which the clock of the jobs
 * stands still, in milliseconds since 1970, or `-` for the system clock.
 */
const [folder, job, stream, now] = process.argv.slice(2) as [string, string, string, string];

function freezeIf(moment: 'state' | 'records'): void {
  const order = join(folder, `freeze-${moment}`);
  if (!existsSync(order)) return;
  rmSync(order);
  process.kill(process.pid, 'SIGSTOP');
}

/** Returns the adapter with modules that freeze the process at the two moments. */
function freezing(adapter: StreamLogAdapter): StreamLogAdapter {
  return {
    ...adapter,
    load: async () => {
      const module = await adapter.load();
      return {
        ...module,
        open: async (opening) => {
          const opened = await module.open(opening);
          const append = opened.append.bind(opened);
          opened.append = (to, record) => {
            if (to === stream) freezeIf('records');
            append(to, record);
          };
          return opened;
        },
        openKept: async (at, owner) => {
          const kept = await module.openKept!(at, owner);
          const write = kept.write.bind(kept);
          kept.write = (entries) => {
            if (owner === job && entries.length > 0) freezeIf('state');
            return write(entries);
          };
          return kept;
        },
      };
    },
  };
}

const registry: Registry = { ...builtIn, streamLogs: builtIn.streamLogs.map(freezing) };
const setting = readSetting({}, {}, folder, { registry });
const logger = createLogger('info');
const progress = new Progress();
const parts = { ingestion: false, enrichment: true, loading: false };
const clock = now === '-' ? {} : { now: () => Number(now) };
const enrichment = openEnrichment(setting, { once: false, logger, metrics: silentMetrics, progress, ...clock });
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
await runPipeline({
  setting,
  parts,
  sources: () => [],
  jobs: (log) => enrichment.jobs(log),
  untilStopped: true,
  signal: stop.signal,
  logger,
  progress,
});
await enrichment.close();
