import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Evidence, foldPulls } from '@aorta/schemas';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Notices } from './notices.ts';
import type { PresentPull } from './tracker.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 2, 28, 12);
const never = new AbortController().signal;

let heard: Record<string, unknown>[];
/** Called while a notice is being posted. */
let onPost: () => void;
let server: ReturnType<typeof createServer>;
let webhook: string;

beforeEach(async () => {
  heard = [];
  onPost = () => {};
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      heard.push(JSON.parse(body));
      onPost();
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  webhook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const open = (more: object = {}) =>
  new Notices({ webhook, retrying_after_h: 24, user_ids: false, ...more }, undefined, ['begun/0'], NOW);

/** Returns a pull with these statuses. Introspection reported each of them the given number of hours ago. */
function pull(...tolds: readonly (readonly [hoursAgo: number, status: string])[]): PresentPull {
  const evidence = tolds.map(
    ([hoursAgo, status]): Evidence => ({
      kind: 'told',
      at: (NOW - hoursAgo * HOUR) * 1000,
      status,
      scheduledAt: (NOW - 100 * HOUR) * 1000,
      rangeStart: null,
      rangeEnd: null,
      startedAt: null,
      endedAt: null,
      daysWithData: null,
      errorDetails: null,
    }),
  );
  const { pulls } = foldPulls('oura', 'sleep', evidence);
  return { userId: 'u-1', provider: 'oura', resource: 'sleep', pull: pulls.at(-1)! };
}

test('a failed pull causes a notice at once, and a retrying pull only after the configured number of hours', async () => {
  const notices = open();
  notices.look([pull([1, 'retrying'])], NOW);
  expect(await notices.send(NOW, never)).toBe(false);
  expect(await notices.send(NOW + 23 * HOUR, never)).toBe(true);
  notices.look([{ ...pull([1, 'retrying']), userId: 'u-2' }], NOW);
  notices.look([{ ...pull([1, 'retrying'], [0, 'success']), userId: 'u-2' }], NOW);
  notices.look([{ ...pull([1, 'retrying'], [0, 'failure']), userId: 'u-3' }], NOW);
  expect(await notices.send(NOW + 48 * HOUR, never)).toBe(true);
  expect(heard.map(({ event }) => event)).toEqual(['historical_pull.retrying', 'historical_pull.failed']);
  expect(JSON.stringify(heard)).not.toContain('u-');
});

test('notices contain the user id if configured, and old failures appear only in the summary', async () => {
  const notices = open({ user_ids: true });
  notices.look([pull([80, 'failure'])], NOW);
  notices.look([{ ...pull([1, 'failure']), resource: 'activity' }], NOW);
  expect(await notices.send(NOW, never)).toBe(true);
  expect(heard).toMatchObject([{ event: 'historical_pull.failed', resource: 'activity', user_id: 'u-1' }]);
  notices.gathered();
  expect(await notices.send(NOW, never)).toBe(true);
  expect(heard[1]).toEqual({
    event: 'historical_pull.summary',
    failed: 1,
    retrying: 0,
    providers: [{ provider: 'oura', failed: 1, retrying: 0 }],
    oldest_since: new Date(NOW - 80 * HOUR).toISOString(),
    newest_since: new Date(NOW - 80 * HOUR).toISOString(),
  });
  expect(await notices.send(NOW, never)).toBe(false);
});

test('if the clock was set back since notices were enabled, a new failure still causes a notice of its own', async () => {
  const begun = `begun/${NOW + 2 * HOUR}`;
  const notices = new Notices({ webhook, retrying_after_h: 24, user_ids: false }, undefined, [begun], NOW);
  notices.look([pull([0, 'failure'])], NOW);
  expect(await notices.send(NOW, never)).toBe(true);
  expect(heard).toMatchObject([{ event: 'historical_pull.failed' }]);
});

test('equal notices about two users have different ids, and a repeated notice has the same id', async () => {
  const ids: (string | undefined)[] = [];
  server.prependListener('request', ({ headers }) => ids.push(headers['webhook-id'] as string));
  const notices = open();
  const look = (): void => {
    for (const userId of ['u-1', 'u-2']) notices.look([{ ...pull([1, 'failure']), userId }], NOW);
  };
  look();
  await notices.send(NOW, never);
  look();
  expect(await notices.send(NOW, never)).toBe(false);
  expect(new Set(ids).size).toBe(2);
  const forgetful = open();
  forgetful.look([{ ...pull([1, 'failure']), userId: 'u-1' }], NOW);
  await forgetful.send(NOW, never);
  expect(ids[2]).toBe(ids[0]);
});

test('a pull that changes while its notice is posted causes a second notice', async () => {
  const notices = open({ retrying_after_h: 0.5 });
  notices.look([pull([1, 'retrying'])], NOW);
  onPost = () => notices.look([pull([1, 'retrying'], [0, 'failure'])], NOW);
  expect(await notices.send(NOW, never)).toBe(true);
  onPost = () => {};
  expect(await notices.send(NOW, never)).toBe(true);
  expect(await notices.send(NOW, never)).toBe(false);
  expect(heard.map(({ event }) => event)).toEqual(['historical_pull.retrying', 'historical_pull.failed']);
});
