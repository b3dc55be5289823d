import { type EventHubsProcess, spawnEventHubs } from '@aorta/event-hubs-server';
import { randomOf } from '@aorta/people';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChangedSamples } from '../../reference-service/record/changed-samples.ts';
import { differencesOf } from '../../reference-service/record/differences.ts';
import { emptyTables, unusedTables } from '../../reference-service/record/record.ts';
import type { Row } from '../../reference-service/record/row.ts';
import { inTables } from '../../reference-service/record/tables.ts';
import type { ReceivedEvent } from './endpoint.ts';
import { drawKills } from './kill-plan.ts';
import { type Receipts, readReceipts } from './receipts.ts';
import { Stage } from './stage.ts';

interface Delivery {
  readonly message_id: string;
  readonly event_type: string;
  readonly state: string;
}

/** Kills the service, Aorta or both, `kills` times in each run. The tables must then equal what the service has. */
export function killBoth(runs: number, firstSeed: number, kills: number): void {
  const seeds = Array.from({ length: runs }, (_, run) => firstSeed + run);
  const hubOf = (seed: number): string => `health-${seed}`;
  let hubs: EventHubsProcess;
  beforeAll(async () => {
    hubs = await spawnEventHubs({ hubs: seeds.map((seed) => ({ name: hubOf(seed), partitions: 2 })) });
  });
  // A kill may come after the move of the clock, which says less. On average, one of each run must come before.
  let [played, interrupted] = [0, 0];
  afterAll(async () => {
    await hubs.stop();
    expect(interrupted).toBeGreaterThanOrEqual(played);
  });

  describe.concurrent('when the service and aorta run are killed', () => {
    test.each(seeds)('the tables lose nothing and duplicate nothing (seed %i)', async (seed) => {
      await using stage = await Stage.open(seed, hubs, hubOf(seed));
      for (const kill of drawKills(randomOf(seed), kills)) await stage.play(kill);
      await stage.settle();
      played += 1;
      interrupted += stage.interrupted;

      const messages = await deliveredMessages(stage);
      checkReceived(messages, stage.received);
      const record = await stage.record();
      expect(emptyTables(record)).toEqual(unusedTables);
      checkHistory(record.get('historical_pulls')!, [...stage.received.values()]);
      const { acceptTold } = new ChangedSamples([...stage.received.values()]);
      const inHub = await stage.eventsInHub();
      await inTables(stage.folder, async (select) => {
        expect(await differencesOf(select, record, acceptTold)).toEqual([]);
        checkCounts(await readReceipts(select), messages, inHub);
      });
    });
  });
}

/** Returns the messages to Aorta's endpoint. Everything must be delivered, to every endpoint and to the hub. */
async function deliveredMessages(stage: Stage): Promise<Delivery[]> {
  const { service, team } = stage;
  expect(await service.steer(`/pipelines/${team}`)).toMatchObject({ waiting: 0, held: 0, undeliverable: 0, failures: 0 });
  const { webhooks } = (await service.steer('/webhooks')) as { webhooks: { endpoint_id: string }[] };
  const lists: Delivery[][] = [];
  for (const { endpoint_id } of webhooks) {
    const { deliveries } = (await service.steer(`/webhooks/${endpoint_id}/deliveries?limit=1000`)) as { deliveries: Delivery[] };
    expect(
      deliveries.filter(({ state }) => state !== 'succeeded'),
      stage.log(),
    ).toEqual([]);
    lists.push(deliveries);
  }
  const [first, ...others] = lists;
  expect(first!.length).toBeGreaterThan(20);
  expect(first!.length).toBeLessThan(1000);
  for (const other of others) expect(idsOf(other)).toEqual(idsOf(first!));
  return first!;
}

const idsOf = (messages: readonly Delivery[]): string[] => messages.map(({ message_id }) => message_id).sort();

/** Checks that the endpoint that is never killed got every message, and no new summary or heart rate sample twice. */
function checkReceived(messages: readonly Delivery[], received: ReadonlyMap<string, ReceivedEvent>): void {
  expect([...received.keys()].sort()).toEqual(idsOf(messages));
  const events = [...received.values()];
  const created = events.filter(({ event_type, data }) => /^daily\..*\.created$/.test(event_type) && 'id' in data);
  const summaries = created.map(({ event_type, data }) => `${event_type} ${data.id}`);
  expect(new Set(summaries).size).toBe(summaries.length);
  const samples = events
    .filter(({ event_type }) => event_type === 'daily.data.heartrate.created')
    .flatMap(({ user_id, data }) => (data.data as { timestamp: string }[]).map(({ timestamp }) => `${user_id} ${timestamp}`));
  expect(samples.length).toBeGreaterThan(100);
  expect(new Set(samples).size).toBe(samples.length);
}

/** Checks that the service announced each successful pull once, and that only the pull of `hrv` failed. */
function checkHistory(pulls: readonly Row[], events: readonly ReceivedEvent[]): void {
  const ended = pulls.filter(({ state }) => state === 'success');
  expect(pulls.filter(({ state }) => state !== 'success').map(({ resource, state }) => [resource, state])).toEqual([
    ['hrv', 'failure'],
  ]);
  expect(
    events
      .filter(({ event_type }) => event_type.startsWith('historical.'))
      .map(({ user_id, event_type }) => `${user_id} ${event_type}`)
      .sort(),
  ).toEqual(ended.map(({ user_id, resource }) => `${user_id} historical.data.${resource}.created`).sort());
}

function checkCounts(tables: Receipts, messages: readonly Delivery[], inHub: number): void {
  const of = (source: string) => tables.deliveries.filter((one) => one.source === source);
  // Aorta keeps each delivery once, and marks its copies.
  for (const { kept, ids, ...rest } of tables.deliveries) expect({ ...rest, kept }).toEqual({ ...rest, kept: ids });
  expect(tables.webhookIds).toEqual(idsOf(messages));
  expect(of('event-hubs').reduce((sum, { rows }) => sum + rows, 0)).toBe(inHub);
  const told = Map.groupBy(messages, ({ event_type }) => event_type);
  expect(Object.fromEntries(of('webhook').map(({ event_type, kept }) => [event_type, kept]))).toEqual(
    Object.fromEntries([...told].map(([event_type, some]) => [event_type, some.length])),
  );
  // The hub has historical data in addition.
  const hub = new Map(of('event-hubs').map(({ event_type, kept }) => [event_type, kept]));
  for (const [event_type, some] of told) {
    if (event_type.startsWith('daily.')) expect(hub.get(event_type), event_type).toBeGreaterThanOrEqual(some.length);
    else expect(hub.get(event_type), event_type).toBe(some.length);
  }
  expect(tables).toMatchObject({ gaps: [], deadLetters: 0 });
  expect(tables.complete).toBeGreaterThan(5);
}
