import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isAortaError } from '@aorta/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CallFailed } from '../errors/call-failed.ts';
import type { Patience, Surroundings } from '../errors/persisting.ts';
import { type Action, isKnown, type KnownReason, reasons } from '../errors/reasons.ts';
import type { BigQueryClient } from './client.ts';
import { Jobs } from './jobs.ts';
import { openClient } from './official-client.ts';

/**
 * Every documented reason, at every call and in every kind of job, as it comes over the wire: which class it has, and how
 * often it is asked. That nothing is lost or doubled by it, `test/faults/bigquery/` shows of one reason of each class.
 */

const PLANTED = 'planted-user-4711';
const patience: Patience = { forMs: 1_000, pauseMs: 100, mostMs: 1_000, limitMs: 100 };
const statusOf = Object.entries(reasons).flatMap(([reason, { status }]) =>
  status.filter((one) => one >= 400).map((one) => [reason as KnownReason, one] as const),
);

let server: Server;
let client: BigQueryClient;
/** What is answered; the calls so far. */
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
  const apiEndpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = openClient({ project: 'p', dataset: 'd', location: 'US', apiEndpoint, callMs: 5_000, gzip: false });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Jobs whose pauses take no time. */
function jobs(): Jobs {
  let now = 0;
  const sleep = async (milliseconds: number): Promise<void> => {
    now += milliseconds;
  };
  const surroundings: Surroundings = { now: () => now, sleep, random: () => 0.5 };
  return new Jobs({ client, patience, surroundings });
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

/** The class that an error of each kind of reason has to have. What is there, or is not, its caller sees to. */
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

test.each(statusOf)('%s, answered with %i', async (reason, status) => {
  const { action } = reasons[reason];
  const message = `Something about ${PLANTED} is wrong.`;
  answer = { status, body: { error: { code: status, message, errors: [{ reason, message }] } } };
  for (const [name, call] of Object.entries(every)) {
    // `fetch` tells no 407 from a lost connection. Nobody uploads who was not told so before: the dataset is looked at first.
    if (reason === 'proxyAuthenticationRequired' && name === 'upload') continue;
    calls = 0;
    const expected = action === 'exists' || action === 'missing' ? reason : classes[action];
    expect([name, await outcome(jobs().call('a step', call, { except: ['exists', 'missing'] }))]).toEqual([name, expected]);
    // Once where it would be the same the next time; else again and again, and by us alone.
    expect([name, triedAgain(action) ? calls > 2 && calls < 10 : calls === 1]).toEqual([name, true]);
  }
});

test.each([...Object.keys(reasons).filter((reason) => reasons[reason as KnownReason].status.length > 0), 'somethingNew'])(
  'a job that is DONE with %s',
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
    // Nobody asked for it: what a statement names is not there, or there already.
    expect(ended).toBe(action === 'exists' || action === 'missing' ? 'setup' : classes[action]);
    expect(triedAgain(action) ? calls > 2 && calls < 10 : calls === 1).toBe(true);
    const loaded = await client.load({ jobId: 'j', table: 't', body: [Buffer.from('{}\n')] });
    expect([loaded.done, loaded.failure?.reason, loaded.failure?.ofJob]).toEqual([true, reason, true]);
  },
);
