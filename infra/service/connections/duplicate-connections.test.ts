import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { controlOperations } from '../control/control-operations.ts';
import { createControl } from '../control/control-server.ts';
import { openManaged } from '../management/management.fixture.ts';
import type { User } from '../users/users.ts';

let managed: ReturnType<typeof openManaged>;
let control: ReturnType<typeof createControl>;
beforeEach(() => {
  managed = openManaged();
  control = createControl(controlOperations(managed.service));
});
afterEach(async () => {
  await control.close();
  await managed[Symbol.asyncDispose]();
});

const reject = (reject_duplicate_connection: boolean) =>
  managed.manage('PATCH', `/team/${managed.team}`, { body: { sandbox: { reject_duplicate_connection } } });
const newUser = (id: string, team = managed.team) => managed.service.users.create(team, id, {}) as User;
const connect = async ({ user_id }: User, external_user_id: string | null, provider = 'garmin') => {
  const answer = await control.inject({ method: 'POST', url: '/connections', payload: { user_id, provider, external_user_id } });
  return { status: answer.statusCode, body: answer.json() };
};

test('a team that rejects duplicates lets one user at a time have an account of a provider', async () => {
  const [first, second] = [newUser('c-1'), newUser('c-2')];
  const elsewhere = newUser('c-1', managed.service.teams.create('second').team_id);
  await reject(true);
  expect((await connect(first, 'g-1')).status).toBe(200);
  expect(await connect(second, 'g-1')).toEqual({
    status: 409,
    body: { detail: 'Another user of the team has this account, and the team rejects duplicate connections.' },
  });
  expect(managed.service.connections.of(second.user_id)).toEqual([]);
  for (const answer of [
    await connect(first, 'g-1'),
    await connect(second, 'g-2'),
    await connect(second, 'g-1', 'oura'),
    await connect(elsewhere, 'g-1'),
  ])
    expect(answer.status).toBe(200);
  managed.service.connections.deregister(first.user_id, 'garmin');
  expect((await connect(second, 'g-1')).status).toBe(200);
  expect((await connect(first, 'g-1')).status).toBe(409);
  await reject(false);
  expect((await connect(first, 'g-1')).status).toBe(200);
});

interface Attempt {
  readonly user: number;
  readonly provider: string;
  readonly account: string | null;
}

test('a connection is refused exactly if another user has the account', async () => {
  await reject(true);
  const attempts: fc.Arbitrary<Attempt[]> = fc.array(
    fc.record({
      user: fc.nat(2),
      provider: fc.constantFrom('garmin', 'oura'),
      account: fc.constantFrom('a', 'b', null),
    }),
    { maxLength: 20 },
  );
  await fc.assert(
    fc.asyncProperty(attempts, async (given) => {
      const users = [0, 1, 2].map((number) => newUser(`${managed.service.users.count(managed.team)} ${number}`));
      const accounts = new Map<string, string | null>();
      for (const { user, provider, account } of given) {
        const isTaken = users.some(
          (_, other) => other !== user && account !== null && accounts.get(`${other} ${provider}`) === account,
        );
        expect((await connect(users[user]!, account, provider)).status).toBe(isTaken ? 409 : 200);
        if (!isTaken) accounts.set(`${user} ${provider}`, account);
      }
      for (const { user_id } of users) managed.service.users.delete(managed.team, user_id);
    }),
    { numRuns: 30 },
  );
});
