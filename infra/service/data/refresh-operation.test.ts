import { afterEach, expect, test } from 'vitest';
import { createApi } from '../api/server.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';

const START = Date.UTC(2026, 0, 10, 12);
const MINUTE = 60_000;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

test('the ninth refresh within an hour gives 429, and Retry-After says when the next one is possible', async () => {
  const service = new Service({ start: START, runs: false, past: () => [] });
  closing.push(() => service.close());
  const app = createApi(service.operations, service.authentication);
  closing.push(() => app.close());
  const { team_id, api_key } = service.teams.create('first');
  const { user_id } = service.users.create(team_id, 'c-1', {}) as User;
  const user = service.users.any(user_id)!;
  service.connections.connect(user, { provider: 'oura', isDemo: false, isGenerated: false });
  const headers = { 'x-service-api-key': api_key };
  const refresh = () => app.inject({ method: 'POST', url: `/v2/user/refresh/${user_id}`, headers });
  for (let number = 0; number < 8; number++) {
    await service.jobs.advanceTo(START + number * 5 * MINUTE);
    expect((await refresh()).statusCode).toBeLessThan(300);
  }
  // The first refresh was 35 minutes ago.
  const refused = await refresh();
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, String(25 * 60)]);
  await service.jobs.advanceTo(START + 60 * MINUTE - 1);
  expect((await refresh()).headers['retry-after']).toBe('1');
  await service.jobs.advanceTo(START + 60 * MINUTE);
  expect((await refresh()).statusCode).toBe(200);
  // The next one is possible 60 minutes after the second.
  expect((await refresh()).headers['retry-after']).toBe(String(5 * 60));
});
