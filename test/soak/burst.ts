import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RawEvent, spawnEventHubs } from '@aorta/event-hubs-server';

/** The result of a burst test. Memory use is in mebibytes. */
export interface Burst {
  readonly received: number;
  readonly seconds: number;
  readonly before: number;
  readonly first: number;
  readonly second: number;
  readonly failed: boolean;
}

const PARTITIONS = 4;
const PORTION = 1000;

/**
 * The memory, in mebibytes, that the settings allow: the heap (NODE_OPTIONS=--max-old-space-size), the `memory` of the warehouse
 * and the `held_bytes` of the source. `program` is the size of the program without events.
 */
const allowed = { heap: 384, warehouse: 256, held: 64, program: 256 };
/** Held events are briefly in memory twice, as received events and as deliveries. */
const MEMORY_LIMIT = allowed.heap + allowed.warehouse + 2 * allowed.held + allowed.program;

/** Measures a consumer that has a backlog of `events` events of 1 KB and a warehouse that takes a second per batch. */
export async function burst(events: number): Promise<Burst> {
  const hub = 'burst';
  const server = await spawnEventHubs({ hubs: [{ name: hub, partitions: PARTITIONS }] });
  try {
    for (let first = 0; first < events; first += PORTION) {
      const portion = Array.from({ length: Math.min(PORTION, events - first) }, (_, at) => stepsOf(first + at));
      await server.faults.append({ hub, partition: String((first / PORTION) % PARTITIONS), events: portion });
    }
    const script = join(import.meta.dirname, 'burst.process.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [
      `--max-old-space-size=${allowed.heap}`,
      script,
      server.connectionString,
      hub,
      `${allowed.warehouse}MB`,
    ]);
    return JSON.parse(stdout) as Burst;
  } finally {
    await server.kill();
  }
}

const FIRST_MINUTE = Date.UTC(2026, 0, 1);

function stepsOf(number: number): RawEvent {
  const user_id = `user-${number % 100}`;
  const event_type = 'daily.data.steps.created';
  const [start, end] = [number, number + 1].map((at) => new Date(FIRST_MINUTE + Math.floor(at / 100) * 60_000).toISOString());
  const data = { source: { provider: 'fitbit', type: 'watch' }, data: [{ start, end, unit: 'count', value: number % 200 }] };
  const body = { event_type, user_id, team_id: 'team', data, padding: 'x'.repeat(700) };
  return {
    body: Buffer.from(JSON.stringify(body)).toString('base64'),
    properties: { 'event-type': event_type, 'user-id': user_id, 'team-id': 'team', 'idempotency-key': `burst-${number}` },
    partitionKey: user_id,
  };
}

/** Returns the results of a burst test as a Markdown page. */
export function burstRecord(memory: Burst, heading: readonly string[]): string[] {
  const { received, seconds, before, first, second } = memory;
  return [
    '# Burst',
    '',
    'Written by `npm run soak -- burst`: the last one.',
    '',
    ...heading,
    `- ${received.toLocaleString('en')} events of a kilobyte wait in Event Hubs for a consumer whose warehouse takes a second for each batch. It read them in ${seconds} s.`,
    '',
    '| memory of the process | MiB |',
    '| --- | ---: |',
    `| before | ${before} |`,
    `| at most in the first half of the time | ${first} |`,
    `| at most in the second | ${second} |`,
    `| allowed: a heap of ${allowed.heap}, ${allowed.warehouse} for the warehouse, ${allowed.held} held twice, ${allowed.program} for the program | ${MEMORY_LIMIT}: ${burstPassed(memory) ? 'met' : '**missed**'} |`,
    '',
  ];
}

export function burstPassed({ first, second, failed }: Burst): boolean {
  return Math.max(first, second) <= MEMORY_LIMIT && !failed;
}
