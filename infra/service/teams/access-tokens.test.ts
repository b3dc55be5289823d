import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApi } from '../api/server.ts';
import { Service } from '../service.ts';

let service: Service;
let app: ReturnType<typeof createApi>;
beforeEach(() => {
  service = new Service({ start: Date.UTC(2026, 0, 1), runs: false });
  app = createApi(service.operations, service.authentication);
});
afterEach(async () => {
  await app.close();
  await service.close();
});

/** Creates a token of a team through the management API. */
async function newToken({ team_id, org_id }: { readonly team_id: string; readonly org_id: string }): Promise<string> {
  const { key } = service.managementKeys.create({ org_id, label: '', creator: 'vital_staff', team_ids: null });
  const answer = await app.inject({
    method: 'POST',
    url: `/v1/org/${org_id}/team/${team_id}/create_api_access_token`,
    payload: { env: 'sandbox' },
    headers: { 'x-management-key': key },
  });
  expect([answer.statusCode, answer.json().expires_in]).toEqual([200, 600]);
  return answer.json().access_token;
}

const status = async (authorization: string) => (await app.inject({ url: '/v2/user', headers: { authorization } })).statusCode;
/** Returns the client user ids of the users that a token shows. */
async function users(token: string): Promise<string[]> {
  const answer = await app.inject({ url: '/v2/user', headers: { authorization: `Bearer ${token}` } });
  return answer.json().users.map(({ client_user_id }: { client_user_id: string }) => client_user_id);
}

test('a token stands for a key of its team for 600 virtual seconds', async () => {
  const [first, second] = [service.teams.create('first'), service.teams.create('second')];
  service.users.create(first.team_id, 'c-first', {});
  service.users.create(second.team_id, 'c-second', {});
  const [own, other] = [await newToken(first), await newToken(second)];
  expect([await users(own), await users(other)]).toEqual([['c-first'], ['c-second']]);
  await service.jobs.advanceTo(service.clock.now() + 599_999);
  expect(await status(`Bearer ${own}`)).toBe(200);
  await service.jobs.advanceTo(service.clock.now() + 1);
  expect(await status(`Bearer ${own}`)).toBe(401);
});

test('a token with a changed character is refused', async () => {
  const token = await newToken(service.teams.create('first'));
  for (let index = 0; index < token.length; index += 1) {
    // The last character of a signature has unused bits.
    if (index === token.length - 1) continue;
    const character = token[index] === '1' ? '2' : '1';
    expect(await status(`Bearer ${token.slice(0, index)}${character}${token.slice(index + 1)}`)).toBe(401);
  }
  const [team, end, signature] = token.split('.');
  for (const changed of [`${team}.${end}`, `${team}.${end}.`, `${team}.${end}0.${signature}`, `${token}.`, `${token}x`])
    expect(await status(`Bearer ${changed}`)).toBe(401);
});

test('a token of another service, and one of a deleted team, are refused', async () => {
  const team = service.teams.create('first');
  const token = await newToken(team);
  const other = new Service({ start: Date.UTC(2026, 0, 1), runs: false });
  const { teams } = other;
  teams.add('first', { team_id: team.team_id });
  const foreign = createApi(other.operations, other.authentication);
  expect((await foreign.inject({ url: '/v2/user', headers: { authorization: `Bearer ${token}` } })).statusCode).toBe(401);
  await foreign.close();
  await other.close();
  service.teams.delete(team.team_id);
  expect(await status(`Bearer ${token}`)).toBe(401);
});
