import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { endpoint } from './endpoint.ts';
import { Load } from './load.ts';
import { ServiceProcess } from './service-process.ts';

const SECONDS = 60;
const KILLS = 4;

let folder: string;
let service: ServiceProcess;
let receiver: Awaited<ReturnType<typeof endpoint>>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-load-'));
  service = await ServiceProcess.create(folder, 1);
  receiver = await endpoint();
  await service.start();
});
afterEach(async () => {
  await service.stop();
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Creates an organization with a team and an endpoint, and lets the clock run. */
async function newLoad(): Promise<Load> {
  const { org_id, management_key } = await service.steer('/organizations', { name: 'load' });
  const { team_id, api_key } = await service.steer('/teams', { name: 'load', org_id });
  await service.steer('/clock/run', { runs: true });
  const load = new Load({
    url: service.url,
    key: String(api_key),
    team: String(team_id),
    org: String(org_id),
    managementKey: String(management_key),
  });
  await load.newWebhook('receiver', receiver.url);
  return load;
}

type Thing = Readonly<Record<string, string>>;

/** Returns what all pages of a list have. `next` returns the path of the page after the given one. */
async function listed(
  load: Load,
  member: string,
  first: string,
  next: (page: ReturnType<typeof JSON.parse>, seen: number) => string | undefined,
) {
  const all: Thing[] = [];
  for (let path: string | undefined = first; path !== undefined; ) {
    const { status, body } = await load.ask(path);
    expect(status).toBe(200);
    all.push(...(body[member] as Thing[]));
    path = next(body, all.length);
  }
  return all;
}

const usersOf = (load: Load) =>
  listed(load, 'users', '/v2/user?limit=500', ({ total }, seen) =>
    seen < total ? `/v2/user?limit=500&offset=${seen}` : undefined,
  );
const ordersOf = (load: Load) =>
  listed(load, 'orders', '/v3/orders?size=100&page=1', ({ total }, seen) =>
    seen < total ? `/v3/orders?size=100&page=${seen / 100 + 1}` : undefined,
  );
async function keysOf(load: Load): Promise<Thing[]> {
  const path = `/v1/org/${load.org}/team_api_keys/sandbox/us?team_id=${load.team}`;
  const keys = await listed(load, 'api_keys', path, ({ next_cursor }) =>
    next_cursor === null ? undefined : `${path}&next_cursor=${next_cursor}`,
  );
  return keys.filter(({ label }) => label!.startsWith('key '));
}

async function webhooksOf(load: Load): Promise<Thing[]> {
  const path = `/v1/org/${load.org}/team/${load.team}/sandbox/webhook?limit=50`;
  return await listed(load, 'data', path, ({ next_cursor }) =>
    next_cursor === null ? undefined : `${path}&next_cursor=${next_cursor}`,
  );
}

const sorted = (values: Iterable<string>): string[] => [...values].sort();

/** Checks that the service has exactly the users and orders that it has acknowledged, and an event of each order. */
async function checkKept(load: Load): Promise<void> {
  expect(load.errors).toEqual([]);
  const users = await usersOf(load);
  expect(new Map(users.map(({ client_user_id, user_id }) => [client_user_id, user_id]))).toEqual(load.users);
  expect(users).toHaveLength(load.users.size);
  expect(sorted((await ordersOf(load)).map(({ id }) => id!))).toEqual(sorted(load.orders.values()));
  const told = () =>
    sorted(
      [...receiver.events.values()]
        .filter(({ event_type }) => event_type === 'labtest.order.created')
        .map(({ data }) => String(data.id)),
    );
  await until(
    'the events of all orders',
    () => new Set(told()).size,
    load.orders.size,
    () => `${told().length} events`,
  );
  expect(told()).toEqual(sorted(load.orders.values()));
}

const show = (load: Load, what: string): boolean =>
  process.stdout.write(
    `${what}: ${load.times.length} answers, 99 % within ${load.p99.toFixed(0)} ms; ${load.users.size} users, ${load.orders.size} orders, ${load.keys.size} keys, ${load.webhooks.size} webhooks, ${receiver.events.size} events.\n`,
  );

test('200 requests a second for a minute have no error, and lose no created thing and no event', async () => {
  const load = await newLoad();
  await load.run(SECONDS);
  show(load, 'The load of a minute');
  expect(load.users.size).toBeGreaterThan(2_000);
  expect(load.orders.size).toBeGreaterThan(1_000);
  await checkKept(load);
  expect(sorted((await keysOf(load)).map(({ id }) => id!))).toEqual(sorted(load.keys.values()));
  expect(sorted((await webhooksOf(load)).map(({ id }) => id!))).toEqual(sorted(load.webhooks.values()));
});

test('a service that is killed under load loses nothing that it has acknowledged, and doubles nothing', async () => {
  const load = await newLoad();
  const running = load.run(SECONDS);
  for (let kill = 0; kill < KILLS; kill += 1) {
    // The kills come at different times after the start.
    await sleep(8_000 + kill * 777);
    await service.kill();
    await service.start();
  }
  await running;
  show(load, `The load with ${KILLS} kills`);
  await checkKept(load);
  for (const [member, kept, acknowledged] of [
    ['label', await keysOf(load), load.keys],
    ['description', await webhooksOf(load), load.webhooks],
  ] as const) {
    expect(kept.map(({ id }) => id)).toEqual(expect.arrayContaining([...acknowledged.values()]));
    const names = kept.map((one) => one[member]!);
    // A request without an answer may have created a thing before the kill.
    const once = (all: Iterable<string>) => sorted([...all].filter((name) => !load.repeated.has(name)));
    expect(once(names)).toEqual(once(acknowledged.keys()));
    expect(new Set(names)).toEqual(new Set(acknowledged.keys()));
  }
});
