import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isAortaError } from '@aorta/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CallFailed } from '../errors/call-failed.ts';
import { type Action, isKnown, type KnownReason, reasons } from '../errors/reasons.ts';
import type { Patience, Surroundings } from '../errors/retries.ts';
import type { BigQueryClient } from './client.ts';
import { JobRunner } from './jobs.ts';
import { OfficialClient } from './official-client.ts';

/**
 * A local server returns every documented error reason for every call and every kind of job. The tests check the error class
 * and the number of attempts. For one reason of each class, `test/faults/bigquery/` checks that no data is lost or duplicated.
 */

const PLANTED = 'planted-user-4711';
const patience: Patience = { forMs: 1_000, pauseMs: 100, mostMs: 1_000, limitMs: 100 };
const statusOf = Object.entries(reasons).flatMap(([reason, { status }]) =>
  status.filter((one) => one >= 400).map((one) => [reason as KnownReason, one] as const),
);

let server: Server;
let client: BigQueryClient;
let answer: { readonly status: number; readonly body: object };
let calls = 0;

beforeAll(async () => {
  server = createServer((incoming, outgoing) => {
    calls++;
    incoming.resume().on('end', () => {
      outgoing.writeHead(answer.status, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify(answer.body));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const api_endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new OfficialClient({ project: 'p', dataset: 'd', location: 'US', api_endpoint, call_s: 5, gzip: false });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Returns a job runner whose pauses take no time. */
function jobs(): JobRunner {
  let now = 0;
  const sleep = async (milliseconds: number): Promise<void> => {
    now += milliseconds;
  };
  const surroundings: Surroundings = { now: () => now, sleep, random: () => 0.5 };
  return new JobRunner({ client, patience, surroundings });
}

const every: Readonly<Record<string, () => Promise<unknown>>> = {
  'datasets.get': () => client.getDataset(),
  'datasets.insert': () => client.createDataset({}),
  'tables.get': () => client.getTable('t'),
  'tables.insert': () => client.createTable('t', {}),
  'tables.patch': () => client.patchTable('t', {}),
  'tables.delete': () => client.deleteTable('t'),
  'tables.list': () => client.listTables(),
  upload: () => client.load({ jobId: 'j', table: 't', body: [Buffer.from('{}\n')] }),
  'jobs.insert': () => client.query({ jobId: 'j', sql: 'SELECT 1' }),
  'jobs.get': () => client.getJob('j'),
  'jobs.getQueryResults': () => client.results('j', undefined, 0),
  'a dry run': () => client.estimate('SELECT 1'),
};

/** Error class expected for each action. The caller handles `exists` and `missing`. */
const classes: Readonly<Record<Exclude<Action, 'exists' | 'missing'>, string>> = {
  again: 'transient',
  conflict: 'transient',
  later: 'transient',
  setup: 'setup',
  cap: 'setup',
  bug: 'bug',
  split: 'setup',
};
const triedAgain = (action: Action): boolean => ['again', 'conflict', 'later'].includes(action);

async function outcome(of: Promise<unknown>): Promise<string> {
  try {
    await of;
    return 'done';
  } catch (error) {
    expect(`${error} ${JSON.stringify(error)} ${(error as Error).stack}`).not.toContain(PLANTED);
    if (isAortaError(error)) return error.class;
    if (error instanceof CallFailed) return error.reason;
    throw error;
  }
}

test.each(statusOf)('the reason %s with status %i has the right error class and number of attempts', async (reason, status) => {
  const { action } = reasons[reason];
  const message = `Something about ${PLANTED} is wrong.`;
  answer = { status, body: { error: { code: status, message, errors: [{ reason, message }] } } };
  for (const [name, call] of Object.entries(every)) {
    // `fetch` reports a 407 as a lost connection, so an upload would get a different error class. In practice, an upload never
    // receives a 407, because the dataset is read first.
    if (reason === 'proxyAuthenticationRequired' && name === 'upload') continue;
    calls = 0;
    const expected = action === 'exists' || action === 'missing' ? reason : classes[action];
    expect([name, await outcome(jobs().call('a step', call, { except: ['exists', 'missing'] }))]).toEqual([name, expected]);
    // Only temporary failures are retried, and only by our own code.
    expect([name, triedAgain(action) ? calls > 2 && calls < 10 : calls === 1]).toEqual([name, true]);
  }
});

test.each([...Object.keys(reasons).filter((reason) => reasons[reason as KnownReason].status.length > 0), 'somethingNew'])(
  'a job that fails with reason %s has the right error class and number of attempts',
  async (reason) => {
    const message = `Something about ${PLANTED} is wrong.`;
    answer = {
      status: 200,
      body: { jobReference: { jobId: 'j' }, status: { state: 'DONE', errorResult: { reason, message } }, statistics: {} },
    };
    calls = 0;
    const ended = await outcome(jobs().query('a step', 'name', { sql: 'SELECT 1' }));
    if (!isKnown(reason)) {
      expect([ended, calls > 1 && calls < 10]).toEqual(['transient', true]);
      return;
    }
    const { action } = reasons[reason];
    // If the caller does not handle `exists` and `missing`, they count as configuration errors.
    expect(ended).toBe(action === 'exists' || action === 'missing' ? 'setup' : classes[action]);
    expect(triedAgain(action) ? calls > 2 && calls < 10 : calls === 1).toBe(true);
    const loaded = await client.load({ jobId: 'j', table: 't', body: [Buffer.from('{}\n')] });
    expect([loaded.done, loaded.failure?.reason, loaded.failure?.ofJob]).toEqual([true, reason, true]);
  },
);
