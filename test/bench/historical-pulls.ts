import { type Evidence, foldPulls, type IntrospectionPoll } from '@aorta/schemas';
import { Agenda } from '../../connectors/jobs/historical-pulls/agenda.ts';
import { historicalPullsOptions, paceOf } from '../../connectors/jobs/historical-pulls/options.ts';
import { Tracker } from '../../connectors/jobs/historical-pulls/tracker.ts';
import { type Figure, figure, timed } from './measure.ts';

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
/** What the service answers in the rounds of the tracker. */
const answered = ['scheduled', 'retrying', 'success', 'success'];
const MINUTE = 60_000_000;
const BASE = Date.UTC(2026, 2, 28, 9) * 1000;

/** What is heard of one pull from the connection to the end: seven pieces. */
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

/** What the service answers for a user: every pull in the state of the round. */
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
  };
  return { receipt, reader: 1, user_id: `user-${user}`, gone: false, stale_at: 0, stalled_after_s: 0, pulls, not_pulled: [] };
}

/**
 * The reducer by itself; and the tracker over 3 providers with 12 resources for each of so many users, through four rounds
 * of answers, the last one without news, with the calls that the configuration allows. The clock of the calls is virtual, everything else is what runs.
 */
export async function historicalPulls(rounds: number, users: number): Promise<Figure[]> {
  const histories = Array.from({ length: 20_000 }, (_, seed) => history(seed));
  const pieces = histories.length * histories[0]!.length;
  const rates: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const milliseconds = await timed(() => {
      for (const evidence of histories) foldPulls('oura', 'sleep', evidence);
    });
    if (round >= 0) rates.push((pieces * 1000) / milliseconds);
  }

  const settings = historicalPullsOptions.parse({ calls_a_minute: 120, settled_h: 1 });
  const pace = paceOf(settings);
  const agenda = new Agenda(pace);
  const tracker = new Tracker();
  globalThis.gc?.();
  const before = process.memoryUsage();
  const cycles: number[] = [];
  let oldest = 0;
  let evidence = 0;
  let tracks = 0;
  let calls = 0;
  let folding = 0;
  let now = BASE / 1000;
  const begun = now;
  for (let round = 0; round < answered.length; round++) {
    let cycle: number | undefined;
    for (let next = 0; next < users; ) {
      const step = agenda.next(now);
      if (step.ask === 'nothing') {
        now = step.at;
        continue;
      }
      calls += 1;
      cycle ??= now;
      const asked =
        step.ask === 'page'
          ? Array.from({ length: Math.min(pace.pageUsers, users - next) }, (_, index) => next + index)
          : [Number(step.userId.slice('user-'.length))];
      if (step.ask === 'page') next += asked.length;
      const answers = asked.map((user) => answer(user, round, now));
      folding += await timed(() => {
        for (const one of answers) tracker.hear('introspection_polls', one);
        for (const one of answers) agenda.answered(one.user_id, now);
        const folded = tracker.fold();
        tracks += folded.tracks.length;
        for (const [userId, standing] of folded.users) agenda.heard(userId, standing, now);
      });
      evidence += asked.length * providers.length * resources.length;
      if (next >= users) agenda.sweepEnded(now, true);
    }
    cycles.push((now + pace.betweenCallsMs - cycle!) / 60_000);
    oldest = Math.max(oldest, now - (agenda.oldest() ?? begun));
  }
  globalThis.gc?.();
  const after = process.memoryUsage();
  const pulls = users * providers.length * resources.length;
  const used = after.heapUsed + after.external - before.heapUsed - before.external;
  const minutes = cycles.reduce((sum, cycle) => sum + cycle, 0);
  return [
    figure('historical pulls: reducer', 'evidences/s', rates, { target: '≥ 200,000', met: (rate) => rate >= 200_000 }),
    figure(`historical pulls: ${pulls.toLocaleString('en-US')} pulls, calls`, 'calls/min', [calls / minutes], {
      target: `≤ ${settings.calls_a_minute}`,
      met: (rate) => rate <= settings.calls_a_minute * 1.001,
    }),
    figure('historical pulls: one cycle of all users', 'min', cycles),
    figure('historical pulls: oldest answer at the end of a cycle', 'min', [oldest / 60_000]),
    figure('historical pulls: tracker, an evidence', 'µs', [(folding * 1000) / evidence]),
    figure('historical pulls: tracks written, of evidences heard', '%', [(100 * tracks) / evidence]),
    figure('historical pulls: packed evidence of a pull', 'bytes', [tracker.bytes() / pulls]),
    figure('historical pulls: memory of the tracker', 'MB', [used / 1e6]),
  ];
}
