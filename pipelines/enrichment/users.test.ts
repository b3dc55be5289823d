import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServiceClient, ServiceError, type ServiceErrorCode } from '@aorta/connectors/service';
import { type AortaError, silentLogger } from '@aorta/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stateInFile } from './state/state-in-file.fixture.ts';
import { openUsers } from './users.ts';
import { eventCollector } from './workers/event-collector.fixture.ts';
import { doJob } from './workers/job.ts';

/** Values for the placeholders in the service's error messages. */
const details = { host: 'h', operation: 'o', limit: 1, pages: 1, problem: 'p', reason: 'r' };

let folder: string;
/** The users of the simulated service. For each user, `connections` contains the connections or error code to return. */
let users: string[];
let connections: Map<string, ServiceErrorCode | readonly unknown[]>;
let unidentified: unknown[];
let asked: string[];
let problems: string[];
/** The clock of the simulated service, in microseconds since 1970. */
let clock: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'users-'));
  [users, connections, unidentified, asked, problems] = [['u1', 'u2'], new Map(), [], [], []];
  // Ten years ahead of our clock.
  clock = Date.UTC(2036, 0, 1) * 1000;
});
afterEach(() => rmSync(folder, { recursive: true }));

const answer = <T>(value: T) => ({ value, body: Buffer.alloc(0), servedAt: clock });

function failed(code: ServiceErrorCode): AortaError {
  return new ServiceError(code, { ...details, status: code === 'AORTA-SERVICE-BUSY' ? 500 : 400 });
}

const client = {
  users: async ({ offset }: { offset: number }) => {
    const items = users.slice(offset).map((user_id) => ({ user_id, team_id: 't' }));
    return answer({ items, unidentified, misshapen: unidentified.length, total: users.length });
  },
  user: async (userId: string) => {
    asked.push(`user ${userId}`);
    if (!users.includes(userId)) throw failed('AORTA-SERVICE-GONE');
    return answer({ user_id: userId });
  },
  connections: async (userId: string) => {
    asked.push(userId);
    const has = connections.get(userId) ?? [];
    if (typeof has === 'string') throw failed(has);
    const items = has.filter((one) => typeof one === 'object');
    const others = has.filter((one) => typeof one !== 'object');
    return answer({ items, unidentified: others, misshapen: others.length, total: undefined });
  },
} as unknown as ServiceClient;

/**
 * Runs one cycle. Returns a string for each event: its type without `service.`, its user, and its version. If the version
 * is the current time of the service's clock, the string ends with `now`.
 */
async function live(): Promise<string[]> {
  const { events, openEmitter } = eventCollector();
  const open = () =>
    openUsers({
      client,
      state: stateInFile(folder),
      openEmitter,
      everyMs: 60_000,
      restsFirst: false,
      logger: silentLogger,
      onProblem: ({ code }) => void problems.push(code),
    });
  await doJob({ name: 'users', open, assignments: undefined, once: true }, new AbortController().signal);
  const texts = events.map(
    ({ event_type: type, user_id: user, receivedAt }) =>
      `${type.replace('service.', '')} ${user ?? '-'} ${receivedAt === clock ? 'now' : receivedAt}`,
  );
  clock += 3_600_000_000;
  return texts;
}

const arrived = (user: string): string[] => [`user.polled ${user} now`, `user_state.present ${user} now`];

test("a deleted user is reported once, with the time from the service's clock", async () => {
  expect(await live()).toEqual([...arrived('u1'), ...arrived('u2')]);
  expect(await live()).toEqual([]);
  users = ['u1'];
  asked = [];
  // If our clock were used, the event would be ten years older than the user's earlier events, and would not be the newest
  // version.
  expect(await live()).toEqual(['user_state.missing u2 now']);
  expect(await live()).toEqual([]);
  expect(asked).toEqual(['user u2', 'u1', 'u1']);
  users = ['u1', 'u2'];
  expect(await live()).toEqual(arrived('u2'));
});

test('a failed request for the connections of one user does not delay other users or repeat events', async () => {
  users = ['u1', 'u2', 'u3'];
  connections.set('u1', 'AORTA-SERVICE-BUSY').set('u2', [{ slug: 'oura' }]);
  const first = await live();
  expect(first).toContain('connection.polled u2 now');
  expect(first).toHaveLength(7);
  expect(problems).toEqual(['AORTA-SERVICE-BUSY']);
  expect(await live()).toEqual([]);
});

test('a cycle that ends after several consecutive failures remembers what it has emitted', async () => {
  users = Array.from({ length: 9 }, (_, index) => `u${index}`);
  for (const user of users) connections.set(user, 'AORTA-SERVICE-ANSWER');
  expect(await live()).toHaveLength(18);
  expect(asked).toHaveLength(3);
  expect(await live()).toEqual([]);
  // Users whose connections have not been requested yet come first.
  expect(asked).toEqual(['u0', 'u1', 'u2', 'u3', 'u4', 'u5']);
  connections.clear();
  connections.set('u5', 'AORTA-SERVICE-KEY');
  problems = [];
  await live();
  expect(problems).toEqual(['AORTA-SERVICE-KEY']);
});

test('elements without a valid id are emitted only once if they do not change', async () => {
  users = ['u1'];
  unidentified = [{ user_id: 7 }, 'x'];
  connections.set('u1', ['odd']);
  expect(await live()).toEqual([...arrived('u1'), 'user.polled - now', 'user.polled - now', 'connection.polled u1 now']);
  expect(await live()).toEqual([]);
});
