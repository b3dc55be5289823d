import type { Connection, HistoricalCompletion, HistoricalPullTrack, IntrospectionPoll } from '@aorta/schemas';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Tracker } from '../../pipelines/enrichment/historical-pulls/tracker.ts';
import { pullsOf } from './historical-pulls.ts';

/**
 * Compares the tracker with the model. Records of different streams arrive in any order, answers are lost or repeated, clocks
 * jump, and the tracker restarts.
 */

const BASE = Date.UTC(2026, 2, 28, 12) * 1000;
const MINUTE = 60_000_000;
const PLANNED = [BASE, BASE + 5 * MINUTE, BASE + 20 * MINUTE];
const RANGE = { range_start: BASE - 9e12, range_end: BASE };
const providers = ['oura', 'garmin'];
const resources = ['sleep', 'a_resource_that_is_not_known'];

const minute = fc.integer({ min: 0, max: 40 });
const which = { provider: fc.constantFrom(...providers), resource: fc.constantFrom(...resources) };
const event = fc.oneof(
  fc.record({ kind: fc.constantFrom('connected' as const, 'broken' as const), minute, ...which }),
  fc.record({ kind: fc.constant('completed' as const), minute, ...which }),
);
type Happened = { kind: 'connected' | 'broken' | 'completed'; minute: number; provider: string; resource: string };

const pull = fc.record({
  ...which,
  status: fc.constantFrom('scheduled', 'in_progress', 'retrying', 'success', 'failure', 'paused'),
  planned: fc.constantFrom(...PLANNED),
  days: fc.constantFrom(null, 0, 1, 2, 3),
  error: fc.constantFrom(null, 'provider_unavailable', 'retry_quota_exhausted', 'never_heard_of'),
});
const answer = fc.record({
  // Minutes since the previous answer. Sometimes the clock jumps backward or forward.
  step: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 1, max: 3 }) }, { weight: 1, arbitrary: fc.constantFrom(-15, 0, 60) }),
  lost: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
  pulls: fc.uniqueArray(pull, { maxLength: 3, selector: ({ provider, resource }) => `${provider} ${resource}` }),
});

const receipt = (offset: number, received_at: number) => ({
  source: 's',
  partition: '0',
  delivery_id: null,
  header_facts: 0,
  body_bytes: 0,
  body_crc32: 0,
  arrived_at: null,
  offset,
  received_at,
});

function connectionOf({ kind, minute: at, provider, resource }: Happened): Connection {
  const type = kind === 'broken' ? 'provider.connection.error' : 'provider.connection.created';
  return {
    receipt: receipt(at, BASE + at * MINUTE),
    event: { event_type: type, team_id: null, user_id: 'u', client_user_id: null },
    reader: 1,
    provider,
    provider_name: null,
    provider_logo: null,
    data_user_id: null,
    external_user_id: null,
    resource_availability: JSON.stringify({ [resource]: { status: 'available' } }),
    legacy_source: null,
    message: null,
    error_type: null,
    error_details: null,
    extra: null,
  };
}

const completionOf = ({ minute: at, provider, resource }: Happened): HistoricalCompletion =>
  ({
    receipt: receipt(at, BASE + at * MINUTE),
    event: { event_type: `historical.data.${resource}.created`, team_id: null, user_id: 'u', client_user_id: null },
    provider,
    resource,
    is_final: true,
    ...RANGE,
  }) as HistoricalCompletion;

/** Returns the evidence for the model, by provider and resource. Connections count for every resource that has evidence. */
function evidenceOf(events: readonly Happened[], polls: readonly IntrospectionPoll[]): Map<string, object[]> {
  const found = new Map<string, object[]>();
  const of = (provider: string, resource: string): object[] => {
    const key = `${provider} ${resource}`;
    return found.get(key) ?? found.set(key, []).get(key)!;
  };
  for (const { kind, minute: at, provider, resource } of events) {
    if (kind === 'connected') of(provider, resource).push({ kind: 'expected', at: BASE + at * MINUTE });
    if (kind === 'completed')
      of(provider, resource).push({
        kind: 'completed',
        at: BASE + at * MINUTE,
        rangeStart: RANGE.range_start,
        rangeEnd: RANGE.range_end,
      });
  }
  let last = Number.NEGATIVE_INFINITY;
  for (const poll of polls) {
    last = Math.max(poll.receipt.received_at, last + 1);
    for (const one of poll.pulls)
      of(one.provider, one.resource).push({
        kind: 'told',
        at: last,
        status: one.status,
        scheduledAt: one.scheduled_at,
        rangeStart: one.range_start,
        rangeEnd: one.range_end,
        startedAt: null,
        endedAt: null,
        daysWithData: one.days_with_data,
        errorDetails: one.error_details,
      });
  }
  for (const { kind, minute: at, provider } of events)
    for (const resource of resources)
      if (kind !== 'completed')
        found
          .get(`${provider} ${resource}`)
          ?.push({ kind: kind === 'broken' ? 'connection_error' : 'connected', at: BASE + at * MINUTE });
  return found;
}

test('the tracker agrees with the model despite lost and repeated answers, clock jumps and restarts', () => {
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 6 }),
      fc.array(answer, { maxLength: 12 }),
      fc.infiniteStream(fc.nat()),
      (events, answers, dice) => {
        const roll = (sides: number): number => dice.next().value % sides;
        let served = BASE;
        const polls = answers
          .map(({ step, lost, pulls }, index): IntrospectionPoll & { lost: boolean } => {
            served += step * MINUTE;
            return {
              // The service's clock jumps. The offset comes from the caller's clock, which does not jump.
              receipt: receipt(1_000 * index, served),
              reader: 1,
              user_id: 'u',
              gone: false,
              stale_at: 0,
              stalled_after_s: 0,
              not_pulled: [],
              lost,
              pulls: pulls.map(({ provider, resource, status, planned, days, error }) => ({
                provider,
                resource,
                status,
                scheduled_at: planned,
                ...RANGE,
                started_at: null,
                ended_at: null,
                days_with_data: days,
                error_details: error,
                release: null,
                trace_id: null,
                extra: null,
              })),
            };
          })
          .filter(({ lost }) => !lost);

        let tracker = new Tracker();
        const newest = new Map<string, HistoricalPullTrack>();
        const fold = (): void => {
          for (const track of tracker.fold().tracks) {
            const key = `${track.provider} ${track.resource}`;
            if (track.receipt.offset >= (newest.get(key)?.receipt.offset ?? 0)) newest.set(key, track);
          }
        };
        // Each stream is read in order, but the streams interleave at random. Some records repeat, as after a crash.
        const shuffled = events.map((one) => [roll(1_000), one] as const).sort(([a], [b]) => a - b);
        const waiting = shuffled.map(([, one]) => one);
        for (let next = 0; next < polls.length || waiting.length > 0; ) {
          if (waiting.length > 0 && (next >= polls.length || roll(2) === 0)) {
            const one = waiting.pop()!;
            for (let times = 1 + roll(2); times > 0; times--)
              if (one.kind === 'completed') tracker.add('historical_completions', completionOf(one));
              else tracker.add('connections', connectionOf(one));
          } else tracker.add('introspection_polls', polls[next++]!);
          if (roll(3) > 0) continue;
          fold();
          if (roll(2) > 0) continue;
          const before = tracker;
          tracker = new Tracker();
          for (const [user, gone, packed] of before.snapshot()) tracker.restore(user, gone, packed);
          next -= roll(next + 1);
        }
        fold();

        const stepsOf = (steps: (readonly [at: number, state: string])[]): unknown =>
          steps.sort(([a, x], [b, y]) => a - b || (x < y ? -1 : 1));
        const expected = [...evidenceOf(events, polls)]
          .map(([key, evidence]) => [key, pullsOf(key.split(' ')[0]!, evidence)] as const)
          .filter(([, pulls]) => pulls.length > 0)
          .map(([key, pulls]): [string, unknown] => [
            key,
            {
              pulls: pulls.map(({ steps: _, unavailable: __, ...rest }) => rest),
              steps: stepsOf(pulls.flatMap(({ steps }) => steps)),
            },
          ]);
        const said = [...newest].map(([key, { pulls, changes }]): [string, unknown] => [
          key,
          {
            pulls: pulls.map((one) => ({
              scheduled: one.scheduled_at === null ? null : Math.floor(one.scheduled_at / 1e6),
              state: one.state,
              since: one.since,
              progressed: one.progressed_at,
              retryingSince: one.retrying_since,
              provisional: one.provisional,
              perhaps: one.perhaps_completed_at !== null,
              contradicted: one.contradicted_at !== null,
            })),
            steps: stepsOf(changes.map(({ changed_at, to_state }) => [changed_at, to_state] as const)),
          },
        ]);
        expect(Object.fromEntries(said)).toEqual(Object.fromEntries(expected));
        // Repeated evidence is kept once.
        for (const { evidence } of newest.values())
          expect(new Set(evidence.map((piece) => JSON.stringify(piece))).size).toBe(evidence.length);
      },
    ),
    { numRuns: 400 },
  );
});
