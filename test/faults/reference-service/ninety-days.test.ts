import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnEventHubs } from '@aorta/event-hubs-server';
import { startService } from '@aorta/service';
import { expect, test } from 'vitest';
import { askJson, type Json } from '../../reference-service/control.ts';
import { Bystander, slowness } from '../stage/bystander.ts';
import { work } from '../stage/goal.ts';
import { waitedForCoreMs } from '../stage/process-state.ts';
import { endpoint } from './endpoint.ts';

const DAY_S = 86_400;
const GOAL = work(10_000);
const providers = ['oura', 'freestyle_libre'];

interface Life {
  /** Begin and end of the 90 days, of `performance.now()`. */
  readonly from: number;
  readonly to: number;
  /** Returns how long this thread has waited for a core, in milliseconds. */
  readonly waited: number;
  readonly pulls: readonly Json[];
}

/** Lets a service in this process live for 90 days. */
async function liveNinetyDays(): Promise<Life> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-ninety-'));
  const hubs = await spawnEventHubs({ hubs: [{ name: 'health', partitions: 2 }] });
  const receiver = await endpoint();
  try {
    await using served = await startService({
      path: join(folder, 'service.sqlite'),
      start: Date.UTC(2026, 0, 1),
      runs: false,
      seed: 1,
    });
    const { url, controlUrl } = served;
    const steer = (path: string, body?: object): Promise<Json> => askJson(`${controlUrl}${path}`, { body });
    const { team_id, api_key } = (await steer('/teams', { name: 'first' })) as Record<string, string>;
    await steer(`/pipelines/${team_id}`, {
      push_historical_data: true,
      azure_amqp: { connection_string: hubs.connectionString, default_event_hub: 'health' },
    });
    const { endpoint_id } = await steer('/webhooks', { team_id, url: receiver.url });
    const outcomes = [{ kind: 'rate_limit', attempts: 2 }, { kind: 'transport_failure' }];
    for (const provider of providers) await steer('/pulls/script', { provider, outcomes });
    const { user_id } = await askJson(`${url}/v2/user`, { body: { client_user_id: 'c-1' }, key: api_key! });
    for (const provider of providers) await steer('/connections', { user_id, provider });

    const waitedBefore = waitedForCoreMs();
    const from = performance.now();
    await steer('/clock/advance', { seconds: 90 * DAY_S });
    const to = performance.now();
    const waited = waitedForCoreMs() - waitedBefore;

    expect(await steer(`/pipelines/${team_id}`)).toMatchObject({ waiting: 0, undeliverable: 0 });
    const { deliveries } = (await steer(`/webhooks/${endpoint_id}/deliveries?limit=1000`)) as { deliveries: Json[] };
    expect(deliveries.filter(({ state }) => state !== 'succeeded')).toEqual([]);
    expect(receiver.events.size).toBeGreaterThan(1_000);
    return { from, to, waited, pulls: ((await steer('/pulls/list', {})) as { pulls: Json[] }).pulls };
  } finally {
    receiver.close();
    await hubs.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

test('ninety days of two providers, with pulls that retry, a webhook and a pipeline, take at most ten seconds', async () => {
  const allowedHere = await slowness();
  const bystander = await Bystander.start();
  try {
    // As with the other goals, a miss counts only if a second measurement confirms it.
    for (let measurement = 1; ; measurement += 1) {
      const { from, to, waited, pulls } = await liveNinetyDays();
      expect(pulls.length).toBeGreaterThan(5);
      for (const { status, attempts } of pulls) {
        expect(status).toBe('success');
        expect((attempts as Json[]).map(({ result }) => result)).toEqual([
          'provider_rate_limit_exceeded',
          'provider_rate_limit_exceeded',
          'transport_failure',
          'success',
        ]);
      }
      const took = to - from - waited;
      const allowed = GOAL.clockMs + GOAL.workMs * allowedHere + bystander.stalledMs(from, to);
      process.stdout.write(
        `Ninety days took ${seconds(took)} s, and waited ${seconds(waited)} s for a core (goal ${seconds(GOAL.workMs)} s). This machine was ${allowedHere.toFixed(2)} × as slow as the reference machine, so ${seconds(allowed)} s were allowed.\n`,
      );
      if (took <= allowed) return;
      expect(measurement, `took ${seconds(took)} s, allowed ${seconds(allowed)} s`).toBe(1);
    }
  } finally {
    await bystander.stop();
  }
});

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1);
