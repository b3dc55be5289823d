import { on } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Source } from '@aorta/connectors';
import { type Logger, Progress, silentLogger, silentMetrics } from '@aorta/runtime';
import { configuredSources, readSetting, runPipeline } from 'aorta/internals';
import type { FreshnessReport } from './freshness.ts';
import { watching } from './watched.ts';

/**
 * Runs a pipeline as `aorta run` does: `node freshness.process.ts CONFIGURATION FOLDER`. Its parent sends three messages: when the
 * measurement of the processor time begins, when it ends, and when all summaries are visible. Then this process sends its
 * {@link FreshnessReport} about the summaries of `freshness-sender.process.ts`.
 */
const [content, folder] = process.argv.slice(2);
const setting = readSetting({ content: content! }, {}, folder!);
const sentAt: number[] = [];
const mergedAt: number[] = [];
const stop = new AbortController();
// Each summary is one row, and rows are merged in the order of receipt.
const logger: Logger = {
  ...silentLogger,
  debug: (event, { stream, rows } = {}) => {
    if (event !== 'merged' || stream !== 'activity') return;
    for (let row = 0; row < Number(rows); row++) mergedAt.push(Date.now());
  },
};
const progress = new Progress();
const { all } = configuredSources(setting, {
  once: false,
  patient: false,
  worker: 'bench',
  logger: silentLogger,
  metrics: silentMetrics,
  progress,
});

const watched = (source: Source): Source =>
  watching(source, {
    onBatch: ({ deliveries }) => {
      for (const { body } of deliveries) sentAt.push(Number(/"distance":(\d+)/.exec(body.toString('latin1'))![1]));
    },
  });

/** Ticks of 10 ms of this process and the processes that it has started, from the file system of Linux. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const [children, ofSystem] = fields.split(' ').slice(13, 15).map(Number);
  return (user + system) / 1000 + (children! + ofSystem!) * 10;
}

const running = runPipeline({
  setting,
  sources: () => all.map((one) => ({ ...one, open: async () => watched(await one.open()) })),
  untilStopped: true,
  signal: stop.signal,
  logger,
  progress,
});
const messages = on(process, 'message');
process.send!('started');
await messages.next();
const begun = cpuMs();
await messages.next();
const spent = cpuMs() - begun;
await messages.next();
stop.abort();
await running;
const report: FreshnessReport = { sentAt, mergedAt, cpuMs: spent };
process.send!(report, undefined, undefined, () => process.exit());
