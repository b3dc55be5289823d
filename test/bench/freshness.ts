import { fork, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDuckDbReader } from '@aorta/connectors/duckdb/module';
import { openKafka } from '@aorta/connectors/kafka/client';
import { applyTopics, kafkaStreamsOptions } from '@aorta/connectors/kafka/streams';
import { spawnEventHubs } from '@aorta/event-hubs-server';
import { createTopic, provideBroker } from '@aorta/kafka-broker';
import { freePorts } from '@aorta/machine';
import { silentLogger } from '@aorta/runtime';
import { publishedPath } from '../../connectors/duckdb/published-copy.ts';
import { writeFiles } from './delivery-files.ts';
import { SAMPLES } from './events.ts';
import { type Figure, figure } from './measure.ts';

/** The report of the pipeline's process. Times are in milliseconds since 1970, in the order of receipt. */
export interface FreshnessReport {
  readonly sentAt: readonly number[];
  readonly mergedAt: readonly number[];
  /** Processor time of the pipeline and of the processes that it started, while summaries were sent. */
  readonly cpuMs: number;
}

/** A source, and where its sender sends. */
interface Transport {
  readonly name: string;
  readonly kind: 'event-hubs' | 'kafka' | 'webhook';
  readonly address: string;
  /** Hub, topic or secret. */
  readonly to: string;
  readonly source: object;
  /** Where the streams are. Default: in files. They have one partition, so that summaries are merged in the order of their receipt. */
  readonly streams?: object;
  readonly stop: () => Promise<unknown>;
}

const PARTITIONS = 4;
/** Events per second for copies of several sizes. */
const RATE = 100;
/** Unmeasured time at the start, in seconds. The pipeline compiles its code then. */
const WARM_UP_S = 5;
/** Number of summaries in a filled warehouse: one for each user, so that later summaries bring no new time zones. */
const FILLED_SUMMARIES = 200;
/** Milliseconds between two looks at the published copy. */
const LOOK_MS = 20;

async function onEventHubs(): Promise<Transport> {
  const hub = 'events';
  const server = await spawnEventHubs({ hubs: [{ name: hub, partitions: PARTITIONS }] });
  const address = server.connectionString;
  const source = { type: 'event-hubs', connection: address, hubs: [hub] };
  return { name: 'Event Hubs', kind: 'event-hubs', address, to: hub, source, stop: () => server.stop() };
}

async function onKafka(): Promise<Transport> {
  const topic = 'events';
  const broker = await provideBroker({ own: true });
  await createTopic(broker.brokers[0]!, { name: topic, partitions: PARTITIONS });
  const source = { type: 'kafka', brokers: broker.brokers, topics: [topic], consumer_group: 'bench' };
  return { name: 'Kafka', kind: 'kafka', address: broker.brokers[0]!, to: topic, source, stop: () => broker.stop() };
}

async function withStreamsOnKafka(): Promise<Transport> {
  const transport = await onKafka();
  const brokers = [transport.address];
  const streams = kafkaStreamsOptions.parse({ type: 'kafka', brokers, prefix: 'streams.', partitions: 1 });
  const client = openKafka({ brokers, clientId: 'bench' }, { logger: silentLogger });
  await applyTopics(client.admin, streams);
  await client.close();
  return { ...transport, name: 'Kafka, with the streams on Kafka', streams };
}

async function onWebhooks(): Promise<Transport> {
  const [port] = await freePorts(1);
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const source = { type: 'webhook', listen: `127.0.0.1:${port}`, secrets: [secret] };
  return { name: 'webhooks', kind: 'webhook', address: `http://127.0.0.1:${port}`, to: secret, source, stop: async () => {} };
}

const command = join(import.meta.dirname, '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');
const program = (name: string): string => join(import.meta.dirname, `${name}.process.ts`);

interface Measured extends FreshnessReport {
  /** The time from which a reader of the published copy sees each summary. */
  readonly visibleAt: readonly number[];
  readonly copyBytes: number;
}

/** Loads `samples` first, so that the file is larger. */
async function measure(
  { kind, address, to, source, streams }: Transport,
  rate: number,
  seconds: number,
  samples = 0,
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-bench-'));
  const total = rate * (seconds + WARM_UP_S);
  if (samples > 0) await fill(folder, samples);
  const pipeline = fork(program('freshness'), [JSON.stringify({ sources: [source], streams }), folder]);
  try {
    const ended = once(pipeline, 'exit').then(() => Promise.reject(new Error('the pipeline ended')));
    const told = () => Promise.race([once(pipeline, 'message'), ended]);
    await told();
    const visibleAt: number[] = [];
    const warehouse = join(folder, 'aorta-data', 'warehouse.duckdb');
    const sender = fork(program('freshness-sender'), [kind, address, to, `${rate}`, `${seconds + WARM_UP_S}`]);
    const sent = once(sender, 'exit');
    await sleep(WARM_UP_S * 1000);
    pipeline.send('begin');
    const looking = look(warehouse, { before: samples > 0 ? FILLED_SUMMARIES : 0, total }, visibleAt);
    if ((await Promise.race([sent, ended]))[0] !== 0) throw new Error('the sender failed');
    pipeline.send('end');
    await Promise.race([looking, ended]);
    pipeline.send('stop');
    const [report] = (await told()) as [FreshnessReport];
    if (report.sentAt.length !== total) throw new Error(`${report.sentAt.length} of ${total} summaries were received`);
    return { ...report, visibleAt, copyBytes: statSync(publishedPath(warehouse)).size };
  } finally {
    pipeline.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(folder: string, samples: number): Promise<void> {
  const files = [
    ...(await writeFiles(folder, 'samples', samples / SAMPLES)),
    ...(await writeFiles(folder, 'summaries', FILLED_SUMMARIES)),
  ];
  const loaded = spawnSync(process.execPath, [command, 'load', ...files], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (loaded.status !== 0) throw new Error('the samples could not be loaded');
  for (const file of files) rmSync(file);
}

/** Notes when each summary after those `before` becomes visible, until all are. A new copy is another file. */
async function look(
  warehouse: string,
  { before, total }: { readonly before: number; readonly total: number },
  visibleAt: number[],
): Promise<void> {
  let last = 0;
  while (visibleAt.length < total) {
    await sleep(LOOK_MS);
    const inode = statSync(publishedPath(warehouse), { throwIfNoEntry: false })?.ino ?? 0;
    if (inode === last) continue;
    last = inode;
    const now = Date.now();
    await using reader = await openDuckDbReader({ path: warehouse });
    const { activity = 0 } = await reader.rows();
    while (visibleAt.length < activity - before) visibleAt.push(now);
  }
}

interface Goal {
  readonly p50?: number;
  readonly p99?: number;
}

/** Returns the median and the 99th percentile of the latencies after the warm-up. */
function percentiles(name: string, { sentAt }: Measured, at: readonly number[], skipped: number, goal: Goal): Figure[] {
  const sorted = sentAt
    .slice(skipped, at.length)
    .map((sent, index) => at[skipped + index]! - sent)
    .sort((a, b) => a - b);
  const percentile = (part: number, most: number | undefined): Figure =>
    figure(
      `${name}, p${part * 100}`,
      'ms',
      [sorted[Math.floor(part * (sorted.length - 1))]!],
      most === undefined ? undefined : { target: `≤ ${most.toLocaleString('en')}`, met: (value) => value <= most },
    );
  return [percentile(0.5, goal.p50), percentile(0.99, goal.p99)];
}

/**
 * Measures how fresh the tables are, and the processor time of the pipeline. `rates` are in events per second. A latency begins with
 * the call that sends a summary. It ends with the commit of its merge, or with the first published copy that contains it.
 */
export async function freshness(rates: readonly number[], seconds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const open of [onEventHubs, onKafka, withStreamsOnKafka, onWebhooks])
    for (const rate of rates) {
      const transport = await open();
      try {
        const measured = await measure(transport, rate, seconds);
        const at = `${transport.name} at ${rate.toLocaleString('en-US')} events/s`;
        const skipped = rate * WARM_UP_S;
        figures.push(
          ...percentiles(`${at} → merged`, measured, measured.mergedAt, skipped, { p50: 1_000, p99: 2_000 }),
          ...percentiles(`${at} → visible in the published copy`, measured, measured.visibleAt, skipped, { p99: 5_000 }),
          figure(`${at}: share of a core`, '%', [measured.cpuMs / (seconds * 10)]),
        );
      } finally {
        await transport.stop();
      }
    }
  return figures;
}

/** Measures the same for published copies of several sizes, at 100 events per second. */
export async function copyAge(sizes: readonly number[], seconds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const samples of sizes) {
    const measured = await measure(await onWebhooks(), RATE, seconds, samples);
    const at = `a warehouse with ${samples / 1e6} million samples`;
    figures.push(
      ...percentiles(`${at} → visible in the published copy`, measured, measured.visibleAt, RATE * WARM_UP_S, {}),
      figure(`${at}: size of the copy`, 'MB', [measured.copyBytes / 1e6]),
      figure(`${at}: share of a core`, '%', [measured.cpuMs / (seconds * 10)]),
    );
  }
  return figures;
}
