import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Service } from '../service.ts';
import { limitRequests, RateLimits } from './rate-limit.ts';
import { createApi } from './server.ts';

const limit = fc.record({ requests: fc.integer({ min: 1, max: 4 }), seconds: fc.integer({ min: 1, max: 5 }) });
/** Times of requests in their order, in milliseconds. */
const times = fc.array(fc.integer({ max: 30_000, min: 0 }), { maxLength: 60 }).map((all) => all.sort((a, b) => a - b));

describe('the window of a key', () => {
  test('lets the limit pass from its first request on, and refuses the rest until it ends', () => {
    fc.assert(
      fc.property(limit, times, ({ requests, seconds }, all) => {
        const limits = new RateLimits({ requests, seconds });
        const waits = all.map((now) => limits.waitOf('key', now));
        for (let first = 0; first < all.length; ) {
          const end = all[first]! + seconds * 1000;
          const inWindow = all.slice(first).filter((now) => now < end);
          const expected = inWindow.map((now, index) => (index < requests ? undefined : Math.ceil((end - now) / 1000)));
          expect(waits.slice(first, first + inWindow.length)).toEqual(expected);
          first += inWindow.length;
        }
      }),
    );
  });

  test('has room again after the wait that it asks for, which is at least a second', () => {
    fc.assert(
      fc.property(limit, times, (given, all) => {
        const limits = new RateLimits(given);
        for (const now of all) {
          const wait = limits.waitOf('key', now);
          if (wait === undefined) continue;
          expect(wait).toBeGreaterThanOrEqual(1);
          expect(limits.waitOf('key', now + (wait - 1) * 1000)).toBe(1);
          expect(limits.waitOf('key', now + wait * 1000)).toBeUndefined();
          return;
        }
      }),
    );
  });

  test('does not depend on other keys', () => {
    fc.assert(
      fc.property(limit, times, times, (given, own, others) => {
        const waits = (sent: readonly (readonly [key: string, now: number])[]) => {
          const limits = new RateLimits(given);
          return sent.map(([key, now]) => [key, limits.waitOf(key, now)]).filter(([key]) => key === 'own');
        };
        const alone = own.map((now) => ['own', now] as const);
        const mixed = [...alone, ...others.map((now) => ['other', now] as const)].sort(([, a], [, b]) => a - b);
        expect(waits(mixed)).toEqual(waits(alone));
      }),
    );
  });
});

describe('with a limit of two requests in 60 s', () => {
  /** Real time. The clock of the service stands still. */
  let now = 0;
  let service: Service;
  let app: ReturnType<typeof createApi>;
  let managementKey: string;
  beforeEach(() => {
    now = 0;
    service = new Service({ start: Date.UTC(2026, 0, 1), runs: false, rateLimit: { requests: 2, seconds: 60 } });
    app = createApi(service.operations, service.authentication, (made) => limitRequests(made, service, () => now));
    managementKey = newManagementKey();
  });
  afterEach(async () => {
    await app.close();
    await service.close();
  });

  const newManagementKey = () => {
    const { org_id } = service.organizations.default();
    return service.managementKeys.create({ org_id, label: '', creator: 'vital_staff', team_ids: null }).key;
  };
  const status = async (url: string, headers: Record<string, string>) => (await app.inject({ url, headers })).statusCode;
  const users = (key: string) => status('/v2/user', { 'x-service-api-key': key });
  const organization = (key: string) => status(`/v1/org/${service.organizations.default().org_id}`, { 'x-management-key': key });

  test('the third request gets 429 with Retry-After, and a request after that time is accepted', async () => {
    const { api_key: key } = service.teams.create('first');
    now = 10_000;
    expect([await users(key), await users(key)]).toEqual([200, 200]);
    now = 27_500;
    const refused = await app.inject({ url: '/v2/user', headers: { 'x-service-api-key': key } });
    expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([
      429,
      '43',
      { detail: 'The key has sent too many requests' },
    ]);
    now = 69_999;
    expect(await users(key)).toBe(429);
    now = 70_000;
    expect([await users(key), await users(key), await users(key)]).toEqual([200, 200, 429]);
  });

  test('each key of a team, each management key, and the tokens of a team together have a limit of their own', async () => {
    const { team_id, api_key } = service.teams.create('first');
    const { org_id } = service.organizations.default();
    const token = async () => {
      const url = `/v1/org/${org_id}/team/${team_id}/create_api_access_token`;
      const headers = { 'x-management-key': newManagementKey() };
      return String((await app.inject({ method: 'POST', url, headers, payload: { env: 'sandbox' } })).json().access_token);
    };
    for (const key of [api_key, service.teams.addKey(team_id)])
      expect([await users(key), await users(key), await users(key)]).toEqual([200, 200, 429]);
    for (const key of [managementKey, newManagementKey()])
      expect([await organization(key), await organization(key), await organization(key)]).toEqual([200, 200, 429]);
    const bearer = async (text: string) => status('/v2/user', { authorization: `Bearer ${text}` });
    const first = await token();
    expect([await bearer(first), await bearer(first)]).toEqual([200, 200]);
    now = 1000;
    await service.jobs.advanceTo(service.clock.now() + 1000);
    const second = await token();
    expect(second).not.toBe(first);
    expect(await bearer(second)).toBe(429);
  });

  test('requests without a valid key get 401, and do not count', async () => {
    const { api_key: key } = service.teams.create('first');
    for (let time = 0; time < 3; time += 1) {
      expect(await users('sk_us_unknown')).toBe(401);
      expect(await status('/v2/user', { 'x-management-key': managementKey })).toBe(401);
      expect(await status('/nothing', { 'x-service-api-key': key })).toBe(404);
    }
    expect([await users(key), await organization(managementKey)]).toEqual([200, 200]);
  });
});
