import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadableLog, ReadBatch, StreamPartition } from '@aorta/connectors';
import { type GrowingBatch, privacyOptions, type Warehouse } from '@aorta/connectors';
import { duckDbOptions } from '@aorta/connectors/duckdb';
import { openDuckDbWarehouse } from '@aorta/connectors/duckdb/module';
import { startLoader } from '@aorta/loading';
import { readEvent, type StreamName, type StreamRecords } from '@aorta/schemas';

/** The result of slowly loading events from many partitions into a DuckDB warehouse. Sizes are in bytes. */
export interface Trickle {
  readonly events: number;
  readonly minutes: number;
  /** Largest sizes: of the database file in each half of the run (`first`, `second`), and of its write-ahead log (`log`). */
  readonly first: number;
  readonly second: number;
  readonly log: number;
  /** Size of the database file if the same events are loaded at once. */
  readonly atOnce: number;
  /** Duration of the longest landing, in milliseconds, including the wait for a checkpoint and for the published copy. */
  readonly held: number;
  /** Longest time between the ends of consecutive landings, in milliseconds, including the loader's wait for overdue merges. */
  readonly stood: number;
  /** CPU time that the next start takes, in seconds. It has no data left to load. */
  readonly nextStart: number;
  /** Tables whose row count differs from the row count after loading the same events at once. */
  readonly differing: readonly string[];
}

const PER_SECOND = 400;
/** The default number of partitions of a topic. */
const PARTITIONS = 12;
const STREAMS = ['timeseries', 'activity', 'sleep'] as const;
/** Number of activities. Later events are newer versions of these activities. */
const ACTIVITIES = 20_000;
const DAY = 86_400_000;
const BATCH = 20_480;

type Kind = (typeof STREAMS)[number];

function dataOf(stream: Kind, index: number, at: number): object {
  const source = { provider: 'fitbit', type: 'watch' };
  if (stream === 'activity')
    return { id: `activity-${index % ACTIVITIES}`, updated_at: new Date(at).toISOString(), source, steps: index };
  if (stream === 'sleep') return { id: `sleep-${index}`, source, total: index };
  // Every ninth event has old dates, which the warehouse merges separately.
  const begin = index % 9 === 0 ? at - (5 + (index % 50)) * DAY : at;
  const samples = [0, 1, 2].map((second) => ({
    timestamp: new Date(begin + second * 1000).toISOString(),
    unit: 'bpm',
    value: index % 90,
  }));
  return { source, data: samples };
}

/** Returns the event with this index. Repeated calls return the same event. */
function recordAt(index: number, begun: number): StreamRecords[StreamName] {
  const stream = STREAMS[index % STREAMS.length]!;
  const at = begun + Math.floor((index * 1000) / PER_SECOND);
  const receipt = {
    source: 'hub',
    partition: '0',
    offset: index,
    received_at: at * 1000,
    delivery_id: `delivery-${index}`,
    header_facts: 3,
    body_bytes: 500,
    body_crc32: index,
    arrived_at: null,
  };
  const type = `daily.data.${stream === 'timeseries' ? 'heartrate' : stream}.updated`;
  const body = { event_type: type, team_id: 'team', user_id: `user-${index % 500}`, data: dataOf(stream, index, at) };
  const reading = readEvent(stream as 'activity', type, body, receipt);
  if (reading.kind !== 'record') throw new Error(`${type}: ${reading.reason}`);
  return reading.record;
}

/** A log that computes each record when it is read. Events go to the streams and partitions in turn. */
class TrickleLog implements ReadableLog {
  readonly #begun: number;
  readonly #assigned: readonly StreamPartition[] = STREAMS.flatMap((stream) =>
    Array.from({ length: PARTITIONS }, (_, partition) => ({ stream, partition })),
  );
  /** Number of durable events. */
  events = 0;

  constructor(begun: number) {
    this.#begun = begun;
  }

  assigned(): readonly StreamPartition[] {
    return this.#assigned;
  }

  incarnation(): string {
    return 'trickle';
  }

  start(): number {
    return 0;
  }

  end({ stream, partition }: StreamPartition): number {
    const ofStream = Math.floor((this.events - STREAMS.indexOf(stream as Kind) + STREAMS.length - 1) / STREAMS.length);
    return Math.max(0, Math.floor((ofStream - partition + PARTITIONS - 1) / PARTITIONS));
  }

  async read<S extends StreamName>(
    of: StreamPartition<S>,
    from: number,
    limit: { readonly records: number },
  ): Promise<ReadBatch<S>> {
    const to = Math.min(this.end(of), from + limit.records);
    const first = STREAMS.indexOf(of.stream as Kind);
    const records = Array.from({ length: to - from }, (_, at) =>
      recordAt(((from + at) * PARTITIONS + of.partition) * STREAMS.length + first, this.#begun),
    );
    return { stream: of.stream, from, to, records: records as StreamRecords[S][], bytes: records.length * 500 };
  }

  async commit(): Promise<void> {}
}

interface Moment {
  readonly at: number;
  readonly used: NodeJS.CpuUsage;
}

const moment = (): Moment => ({ at: performance.now(), used: process.cpuUsage() });

/** Returns the milliseconds since a moment: the smaller of wall-clock and CPU time, to limit the effect of other load. */
function since({ at, used }: Moment): number {
  const { user, system } = process.cpuUsage(used);
  return Math.min(performance.now() - at, (user + system) / 1000);
}

/** Wraps the warehouse. After each landing, calls `hear` with its duration and the time since the end of the previous landing. */
function timed(warehouse: Warehouse, hear: (held: number, stood: number) => void): Warehouse {
  let last = moment();
  const measured = async (landing: () => Promise<void>): Promise<void> => {
    const begun = moment();
    await landing();
    hear(since(begun), since(last));
    last = moment();
  };
  return new Proxy(warehouse, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      const call = member.bind(target) as (...given: unknown[]) => unknown;
      if (name !== 'gather') return call;
      return (start: unknown): GrowingBatch => {
        const batch = call(start) as GrowingBatch;
        return { add: (records) => batch.add(records), land: (to) => measured(() => batch.land(to)) };
      };
    },
  });
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Loads events slowly into a warehouse for this many minutes, like a worker whose streams are in Kafka. */
export async function trickle(minutes: number, say: (line: string) => void = () => {}): Promise<Trickle> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-trickle-'));
  const open = (name: string): Promise<Warehouse> =>
    openDuckDbWarehouse({
      ...duckDbOptions.parse({ type: 'duckdb', path: join(folder, name) }),
      privacy: privacyOptions.parse({}),
    });
  try {
    const path = join(folder, 'trickle.duckdb');
    const begun = Date.now();
    const streams = new TrickleLog(begun);
    const most = { first: 0, second: 0, log: 0, held: 0, stood: 0 };
    const warehouse = await open('trickle.duckdb');
    const hear = (held: number, stood: number) => {
      most.held = Math.max(most.held, held);
      most.stood = Math.max(most.stood, stood);
    };
    const loader = startLoader({ log: streams, warehouse: timed(warehouse, hear) });
    const until = minutes * 60_000;
    let said = 0;
    for (let elapsed = 0; elapsed < until; elapsed = Date.now() - begun) {
      streams.events = Math.floor((elapsed * PER_SECOND) / 1000);
      loader.wake();
      await sleep(100);
      const half = elapsed < until / 2 ? 'first' : 'second';
      most[half] = Math.max(most[half], sizeOf(path));
      most.log = Math.max(most.log, sizeOf(`${path}.wal`));
      if (elapsed - said < 60_000) continue;
      said = elapsed;
      say(`${Math.round(elapsed / 60_000)} min, ${streams.events} events, file ${sizeOf(path)}, log ${sizeOf(`${path}.wal`)}`);
    }
    const { events } = streams;
    await loader.stop();
    await warehouse.close();
    most.second = Math.max(most.second, sizeOf(path));

    const before = process.cpuUsage();
    const next = await open('trickle.duckdb');
    const nothing = startLoader({ log: streams, warehouse: next });
    await nothing.finish();
    await nothing.stop();
    const rows = await next.rows();
    await next.close();
    const { user, system } = process.cpuUsage(before);
    most.second = Math.max(most.second, sizeOf(path));

    const expected = await loadAtOnce(await open('once.duckdb'), streams);
    const differing = Object.keys(expected).filter((table) => rows[table] !== expected[table]);
    const atOnce = sizeOf(join(folder, 'once.duckdb'));
    return { events, minutes, ...most, atOnce, nextStart: (user + system) / 1e6, differing };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Loads all events in large batches, and returns the row count of each table. */
async function loadAtOnce(warehouse: Warehouse, streams: TrickleLog): Promise<Record<string, number>> {
  for (const of of streams.assigned()) {
    for (let from = 0; from < streams.end(of); ) {
      const { records, to } = await streams.read(of, from, { records: BATCH });
      await warehouse.land({ ...of, incarnation: 'trickle', from, to, records });
      await warehouse.merge('due');
      from = to;
    }
  }
  await warehouse.merge('all');
  await warehouse.publish('now');
  const rows = await warehouse.rows();
  await warehouse.close();
  return rows;
}

const MEGABYTE = 1e6;
const SMALL = 64 * MEGABYTE;
const MOST_HELD_MS = 2000;
/** This exceeds the goal of 2,000 ms, because merges of many small batches take up to 2.6 s, and landing waits for them. */
const MOST_STOOD_MS = 5000;
const MOST_START_S = 3;

/** Returns the largest allowed size of the database file, in bytes. */
export const allowed = ({ atOnce }: Trickle): number => Math.max(SMALL, 2 * atOnce);

/** Describes the missed time limits. `slowness` is how many times slower this machine is than the reference machine. */
export function slowSteps({ held, stood, nextStart }: Trickle, slowness = 1): string[] {
  return [
    ...(held <= MOST_HELD_MS * slowness ? [] : [`a landing took ${Math.round(held)} ms`]),
    ...(stood <= MOST_STOOD_MS * slowness ? [] : [`no landing ended for ${Math.round(stood)} ms`]),
    ...(nextStart <= MOST_START_S * slowness ? [] : [`the next start took ${nextStart.toFixed(1)} s of processor time`]),
  ];
}

/** Describes sizes and row counts that are wrong. */
export function shortcomings(trickled: Trickle): string[] {
  const { first, second, atOnce, differing } = trickled;
  const megabytes = (bytes: number): string => (bytes / MEGABYTE).toFixed(1);
  return [
    ...(Math.max(first, second) <= allowed(trickled)
      ? []
      : [`the file grew to ${megabytes(Math.max(first, second))} MB; loaded at once it has ${megabytes(atOnce)} MB`]),
    // The file may grow by at most the size of the data.
    ...(second - first <= Math.max(atOnce, SMALL / 4)
      ? []
      : [`the file grew from ${megabytes(first)} to ${megabytes(second)} MB`]),
    ...differing.map((table) => `${table} has a different row count than after loading at once`),
  ];
}
