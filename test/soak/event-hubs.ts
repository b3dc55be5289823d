import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RawEvent, spawnEventHubs } from '@aorta/event-hubs-server';
import { isTooLong, type Silence, table } from '../faults/event-hubs/report.ts';

const root = join(import.meta.dirname, '..', '..');

export interface Campaign {
  readonly rounds: number;
  readonly failedRounds: number;
  readonly silences: readonly Silence[];
}

/** Rounds of the fault suite, each from seeds of its own, until the minutes are over; a round is finished. */
export function faultRounds(firstSeed: number, minutes: number): Campaign {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-soak-'));
  const file = join(folder, 'silences.ndjson');
  const end = performance.now() + minutes * 60_000;
  let [rounds, failedRounds] = [0, 0];
  while (performance.now() < end) {
    const seed = String(firstSeed + 100 * rounds++);
    const env = { ...process.env, AORTA_SEED: seed, AORTA_SILENCES: file };
    const { status } = spawnSync('vitest', ['run', '--project', 'timed', 'test/faults/event-hubs'], {
      cwd: root,
      stdio: 'inherit',
      env,
    });
    if (status !== 0) failedRounds++;
  }
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  rmSync(folder, { recursive: true, force: true });
  return { rounds, failedRounds, silences: lines.map((line) => JSON.parse(line) as Silence) };
}

/** What a burst came to; memory in mebibytes. */
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
 * Mebibytes that the settings of the consumer allow: its heap (NODE_OPTIONS=--max-old-space-size), the `memory` of its
 * warehouse, and the `held_bytes` of its source; and what the program is without events.
 */
const allowed = { heap: 384, warehouse: 256, held: 64, program: 256 };
/** What is held is held twice for a moment: as it was received, and as it is taken. */
const MEMORY_LIMIT = allowed.heap + allowed.warehouse + 2 * allowed.held + allowed.program;

/** So many events of a kilobyte wait for a consumer whose warehouse takes a second a batch. */
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

/** The record of a campaign, as a page in Markdown. */
export function record(campaign: Campaign, memory: Burst, heading: readonly string[]): string[] {
  const { rounds, failedRounds, silences } = campaign;
  const within = memory.second <= MEMORY_LIMIT && memory.first <= MEMORY_LIMIT;
  return [
    '# Event Hubs soak',
    '',
    'Written by `npm run soak -- event-hubs`: the last campaign.',
    '',
    ...heading,
    `- ${rounds} rounds of the fault suite, each from its own seeds, with ${silences.length} faults.`,
    failedRounds === 0
      ? '- No round failed: every event in the tables, once and as the plain model has it, and every goal met.'
      : `- **${failedRounds} rounds had failures**, of the goals below or of the tables.`,
    '',
    '## How long partitions were silent',
    '',
    ...table(silences),
    '',
    '## Memory',
    '',
    `${memory.received.toLocaleString('en')} events of a kilobyte wait for a consumer whose warehouse takes a second for each batch. They were taken in ${memory.seconds} s. The process had ${memory.before} MiB before, at most ${memory.first} MiB in the first half of the time and ${memory.second} MiB in the second; allowed are ${MEMORY_LIMIT} MiB (a heap of ${allowed.heap}, ${allowed.warehouse} for the warehouse, ${allowed.held} held twice, ${allowed.program} for the program): ${within && !memory.failed ? 'met' : '**missed**'}.`,
    '',
  ];
}

export function passed(campaign: Campaign, memory: Burst): boolean {
  const bounded = Math.max(memory.first, memory.second) <= MEMORY_LIMIT && !memory.failed;
  return campaign.failedRounds === 0 && !campaign.silences.some(isTooLong) && bounded;
}
