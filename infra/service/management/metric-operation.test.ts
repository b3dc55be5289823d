import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectionWith, type ManagedService, managedService, PIPELINES, START } from './managed-service.fixture.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const azure_amqp = { connection_string: connectionWith('a2V5'), default_event_hub: 'rest' };
/** Minutes of a step, and steps of a range. */
const intervals = { '5m': [5, 72], '15m': [15, 96], '1h': [60, 168], '1d': [1440, 30] } as const;

let managed: ManagedService;
beforeEach(() => {
  managed = managedService();
});
afterEach(() => managed.close());

const metric = async (team: string, query = '') =>
  (await managed.manage('GET', `/team/${team}/sandbox/event_delivery_metric${query}`)).body;

/** Computes the result of a metric from the attempts that the senders saw. */
function expected(team: string, interval: keyof typeof intervals, now: number) {
  const [minutes, steps] = intervals[interval];
  const width = minutes * MINUTE;
  const lastEnd = Math.floor(now / width) * width + width;
  const ends = Array.from({ length: steps }, (_, index) => lastEnd - (steps - 1 - index) * width);
  return (['azure_amqp', 'svix'] as const).flatMap((destination) =>
    ['failed', 'succeeded'].flatMap((outcome) => {
      const own = managed.attempts.filter(
        (one) => one.team === team && one.destination === destination && one.isSuccess === (outcome === 'succeeded'),
      );
      const counts = ends.map((end) => own.filter(({ at }) => at >= end - width && at < end).length);
      if (counts.every((count) => count === 0)) return [];
      return [
        {
          metric: { __name__: 'event_delivery', destination, outcome },
          values: ends.map((end, index) => [end / 1000, String(counts[index])]),
        },
      ];
    }),
  );
}

const stepArbitrary = fc.record({
  pause: fc.integer({ min: 0, max: 6 * 60 * MINUTE }),
  quiet: fc.integer({ min: 0, max: 3 * DAY }),
  events: fc.array(fc.record({ team: fc.nat(1), type: fc.constantFrom('a', 'b') }), { maxLength: 5 }),
  failing: fc.subarray(['svix a', 'svix b', 'azure_amqp a', 'azure_amqp b']),
});

test('the metric counts the attempts of each destination and outcome in the steps of its range', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { maxLength: 8, minLength: 1 }), async (steps) => {
      const teams = [managed.newTeam(), managed.newTeam()];
      for (const { team } of teams) managed.service.endpoints.create(team, { url: 'http://x' });
      await managed.manage('POST', PIPELINES, { team_ids: teams.map(({ team }) => team), azure_amqp });
      for (const { pause, quiet, events, failing } of steps) {
        managed.senders.failing = ({ destination, type }) => failing.includes(`${destination} ${type}`);
        for (const { team, type } of events) managed.service.outbox.add(teams[team]!.user, type, {});
        await managed.service.jobs.advanceTo(managed.service.clock.now() + pause);
        managed.senders.failing = () => false;
        await managed.service.jobs.advanceTo(managed.service.clock.now() + quiet);
      }
      const now = managed.service.clock.now();
      for (const { team } of teams) {
        for (const interval of Object.keys(intervals) as (keyof typeof intervals)[])
          expect(await metric(team, `?interval=${interval}`)).toEqual({
            status: 'success',
            data: { resultType: 'matrix', result: expected(team, interval, now) },
          });
        managed.service.teams.delete(team);
      }
    }),
    { numRuns: 10 },
  );
});

test('the default is one hour, and other intervals are refused', async () => {
  const { team, user } = managed.newTeam();
  managed.service.endpoints.create(team, { url: 'http://x' });
  expect(await metric(team)).toEqual({ status: 'success', data: { resultType: 'matrix', result: [] } });
  await managed.tell(user, 'a');
  const [series] = (await metric(team)).data.result;
  expect([series.values.length, series.values.at(-1)]).toEqual([7 * 24, [START / 1000 + 3600, '1']]);
  expect((await managed.manage('GET', `/team/${team}/sandbox/event_delivery_metric?interval=2h`)).status).toBe(422);
});

test('an attempt that ends after its team was deleted is not counted', async () => {
  const { team, user } = managed.newTeam();
  managed.service.endpoints.create(team, { url: 'http://x' });
  await managed.manage('POST', PIPELINES, { team_ids: [team], azure_amqp });
  managed.senders.failing = () => {
    managed.service.teams.delete(team);
    return false;
  };
  await managed.tell(user, 'a');
  expect(managed.attempts.length).toBeGreaterThan(0);
  managed.senders.failing = () => false;
  const other = managed.newTeam();
  managed.service.endpoints.create(other.team, { url: 'http://x' });
  // An error of the earlier step would end this one.
  await managed.tell(other.user, 'a');
  expect((await metric(other.team)).data.result).toHaveLength(1);
  expect(managed.service.deliveryCounts.since(team, 0, 5 * MINUTE)).toEqual([]);
});

test('counts are kept for 30 days', async () => {
  const { team, user } = managed.newTeam();
  managed.service.endpoints.create(team, { url: 'http://x' });
  await managed.tell(user, 'a');
  await managed.service.jobs.advanceTo(START + 10 * DAY);
  await managed.tell(user, 'a');
  const kept = () => managed.service.deliveryCounts.since(team, 0, 5 * MINUTE).flatMap(({ counts }) => [...counts]);
  await managed.service.jobs.advanceTo(START + 30 * DAY);
  expect(kept()).toEqual([
    [START, 1],
    [START + 10 * DAY, 1],
  ]);
  await managed.service.jobs.advanceTo(START + 31 * DAY);
  expect(kept()).toEqual([[START + 10 * DAY, 1]]);
  await managed.service.jobs.advanceTo(START + 41 * DAY);
  expect(kept()).toEqual([]);
});
