import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privacyOptions } from '@aorta/connectors';
import { duckDbOptions } from '@aorta/connectors/duckdb';
import { openDuckDbWarehouse } from '@aorta/connectors/duckdb/module';
import { type Evidence, foldPulls, type HistoricalPullTrack, type IntrospectionPoll } from '@aorta/schemas';
import { CallSchedule } from '../../pipelines/enrichment/historical-pulls/call-schedule.ts';
import { historicalPullsOptions, paceOf } from '../../pipelines/enrichment/historical-pulls/options.ts';
import { Tracker } from '../../pipelines/enrichment/historical-pulls/tracker.ts';
import { spent } from './measure.ts';

/**
 * Measures the reducer of historical pulls by itself, and then the tracker that uses it. The tracker follows the pulls of 3
 * providers with 12 resources each for every user. It processes four rounds of API answers, and the last round contains nothing
 * new. A virtual clock spaces the API calls according to the configured rate limit. The bench runs in its own process so that
 * memory use can be measured: `--expose-gc FILE ROUNDS USERS`.
 */

const providers = ['fitbit', 'oura', 'withings'];
const resources = [
  'activity',
  'blood_oxygen',
  'body',
  'calories_active',
  'distance',
  'heartrate',
  'hrv',
  'respiratory_rate',
  'sleep',
  'steps',
  'weight',
  'workouts',
];
const statuses = ['scheduled', 'in_progress', 'retrying', 'in_progress', 'success'];
/** The state that all pulls have in each round of API answers. */
const answered = ['scheduled', 'retrying', 'success', 'success'];
const MINUTE = 60_000_000;
const BASE = Date.UTC(2026, 2, 28, 9) * 1000;

/** Returns the seven pieces of evidence for one pull, from its connection to its completion. */
function history(seed: number): Evidence[] {
  const scheduledAt = BASE + seed * 1_000_000;
  const range = { rangeStart: scheduledAt - 90 * 1440 * MINUTE, rangeEnd: scheduledAt };
  return [
    { kind: 'expected', at: scheduledAt - MINUTE },
    ...statuses.map((status, index): Evidence => {
      const errorDetails = status === 'retrying' ? 'provider_unavailable' : null;
      const times = { scheduledAt, startedAt: scheduledAt + index, endedAt: null };
      return { kind: 'told', at: scheduledAt + index * MINUTE, status, ...times, ...range, daysWithData: null, errorDetails };
    }),
    { kind: 'completed', at: scheduledAt + 9 * MINUTE, ...range },
  ];
}

/** Measures how much evidence the reducer processes per second of wall-clock time and per second of core time. */
async function reducer(rounds: number): Promise<{ readonly wall: number[]; readonly core: number[] }> {
  const histories = Array.from({ length: 20_000 }, (_, seed) => history(seed));
  const pieces = histories.length * histories[0]!.length;
  const rates = { wall: [] as number[], core: [] as number[] };
  for (let round = -1; round < rounds; round++) {
    const { wall, cpu } = await spent(() => {
      for (const evidence of histories) foldPulls('oura', 'sleep', evidence);
    });
    if (round < 0) continue;
    rates.wall.push((pieces * 1000) / wall);
    rates.core.push((pieces * 1000) / cpu);
  }
  return rates;
}

/** Returns the service's answer for a user. All pulls in the answer have the state in `answered` for this round. */
function answer(user: number, round: number, servedAt: number): IntrospectionPoll {
  const scheduled_at = BASE + (user % 86_400) * 1_000_000;
  const status = answered[round]!;
  const pulls = providers.flatMap((provider) =>
    resources.map((resource) => ({
      provider,
      resource,
      status,
      range_start: scheduled_at - 90 * 1440 * MINUTE,
      range_end: scheduled_at,
      scheduled_at,
      started_at: round === 0 ? null : scheduled_at + 1_000_000,
      ended_at: null,
      days_with_data: 70,
      error_details: status === 'retrying' ? 'provider_unavailable' : null,
      release: '0.0.0',
      trace_id: null,
      extra: null,
    })),
  );
  const receipt = {
    source: 'introspection',
    partition: '',
    offset: servedAt,
    received_at: servedAt * 1000,
    delivery_id: null,
    header_facts: 0,
    body_bytes: 0,
    body_crc32: 0,
    arrived_at: null,
  };
  return { receipt, reader: 1, user_id: `user-${user}`, gone: false, stale_at: 0, stalled_after_s: 0, pulls, not_pulled: [] };
}

const used = (): number => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

async function tracker(users: number) {
  const settings = historicalPullsOptions.parse({ calls_a_minute: 120, settled_h: 1 });
  const pace = paceOf(settings);
  const schedule = new CallSchedule(pace);
  const tracker = new Tracker();
  const before = used();
  const cycles: number[] = [];
  const sum = { calls: 0, evidence: 0, tracks: 0, oldest: 0, cpu: 0 };
  let page: readonly HistoricalPullTrack[] = [];
  let now = BASE / 1000;
  const begun = now;
  for (let round = 0; round < answered.length; round++) {
    let cycle: number | undefined;
    for (let next = 0; next < users; ) {
      const step = schedule.next(now);
      if (step.ask === 'nothing') {
        now = step.at;
        continue;
      }
      sum.calls += 1;
      cycle ??= now;
      const asked =
        step.ask === 'page'
          ? Array.from({ length: Math.min(pace.pageUsers, users - next) }, (_, index) => next + index)
          : [Number(step.userId.slice('user-'.length))];
      if (step.ask === 'page') next += asked.length;
      const answers = asked.map((user) => answer(user, round, now));
      const { cpu } = await spent(() => {
        for (const one of answers) tracker.add('introspection_polls', one);
        for (const one of answers) schedule.answered(one.user_id, now);
        const folded = tracker.fold();
        sum.tracks += folded.tracks.length;
        if (page.length < folded.tracks.length) page = folded.tracks;
        for (const [userId, standing] of folded.users) schedule.update(userId, standing, now);
      });
      sum.cpu += cpu;
      sum.evidence += asked.length * providers.length * resources.length;
      if (next >= users) schedule.sweepEnded(now, true);
    }
    cycles.push(now + pace.betweenCallsMs - cycle!);
    sum.oldest = Math.max(sum.oldest, now - (schedule.oldest() ?? begun));
  }
  const pulls = users * providers.length * resources.length;
  const memory = { packedBytes: tracker.bytes(), usedBytes: used() - before, residentBytes: process.memoryUsage.rss() };
  return { ...sum, cycles, pulls, callsAMinute: settings.calls_a_minute, ...memory, flush: await flushed(page) };
}

/** Measures one flush, which lands the tracks of a page of users as one batch and merges them. */
async function flushed(tracks: readonly HistoricalPullTrack[]) {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-bench-'));
  const path = join(folder, 'warehouse.duckdb');
  const warehouse = await openDuckDbWarehouse({
    ...duckDbOptions.parse({ type: 'duckdb', path }),
    privacy: privacyOptions.parse({}),
  });
  try {
    const stream = 'historical_pull_tracks' as const;
    let merges = 0;
    const { wall } = await spent(async () => {
      await warehouse.land({ stream, incarnation: 'i', from: 0, to: tracks.length, records: tracks });
      const { targets } = await warehouse.merge('all');
      merges = targets.filter(({ table }) => table === stream).length;
    });
    return { tracks: tracks.length, merges, milliseconds: wall };
  } finally {
    await warehouse.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const [rounds, users] = process.argv.slice(2).map(Number);
const measured = { reducer: await reducer(rounds!), tracker: await tracker(users!) };
export type MeasuredPulls = typeof measured;
process.stdout.write(JSON.stringify(measured));
