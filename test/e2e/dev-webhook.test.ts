import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { aorta } from './command.ts';

const program = join(import.meta.dirname, '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-dev-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the curl command that `aorta dev webhook` prints posts an event that is loaded into the tables', async () => {
  const child = spawn(process.execPath, [program, 'dev', 'webhook', '--port', '0', '--path', '/events', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const reports = createInterface(child.stderr)[Symbol.asyncIterator]();
  try {
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const facts = JSON.parse(String((await lines.next()).value)) as { url: string; secret: string; curl: string };
    expect(facts.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/events$/);
    expect(facts.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect((await reports.next()).value).toBe(`Serving ${facts.url}. Press Ctrl-C to stop.`);
    await promisify(execFile)('sh', ['-c', facts.curl]);
    expect((await reports.next()).value).toBe('1 event received, 1 kept, 0 unreadable');
  } finally {
    child.kill('SIGINT');
  }
  expect(await exited).toEqual([130, null]);
  const configuration = ['--data', 'aorta-webhook'];
  expect(await aorta(folder, ['run', '--only', 'loading', '--once', ...configuration])).toMatchObject({ code: 0 });
  const { stdout } = await aorta(folder, ['query', '--json', ...configuration, 'select steps, calendar_date from activity']);
  expect(JSON.parse(stdout)).toEqual([{ steps: 8400, calendar_date: '2026-01-31' }]);
});

test('`aorta dev webhook` refuses a secret that is not one', async () => {
  const { code, stdout, stderr } = await aorta(folder, ['dev', 'webhook', '--port', '0', '--secret', 'whsec_short']);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('this is not a signing secret');
});

test('signed messages of any content type and encoding are loaded, and unreadable ones become dead letters with their bytes', async () => {
  const child = spawn(process.execPath, [program, 'dev', 'webhook', '--port', '0', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const reports: string[] = [];
  createInterface(child.stderr).on('line', (line) => reports.push(line));
  try {
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const { url, secret, curl } = JSON.parse(String((await lines.next()).value)) as Record<'url' | 'secret' | 'curl', string>;
    // The printed command is signed for a day, so its time is the time of the endpoint.
    const timestamp = /svix-timestamp: (\d+)/.exec(curl)![1]!;
    for (const [at, { headers, body }] of messages.entries()) {
      const signed = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
        .update(`msg_${at}.${timestamp}.`)
        .update(body);
      const sending = request(url, {
        method: 'POST',
        headers: {
          'svix-id': `msg_${at}`,
          'svix-timestamp': timestamp,
          'svix-signature': `v1,${signed.digest('base64')}`,
          ...headers,
        },
      });
      sending.end(body);
      const [answer] = (await once(sending, 'response')) as [IncomingMessage];
      answer.resume();
      expect([headers, answer.statusCode]).toEqual([headers, 204]);
    }
    const unread = messages.filter(({ reason }) => reason !== undefined).length;
    const report = `${messages.length} events received, ${messages.length - unread} kept, ${unread} unreadable`;
    await until('the report', () => reports.at(-1), report);
  } finally {
    child.kill('SIGTERM');
  }
  expect(await exited).toEqual([0, null]);
  const data = ['--data', 'aorta-webhook'];
  expect(await aorta(folder, ['run', '--only', 'loading', '--once', ...data])).toMatchObject({ code: 0 });
  const { stdout } = await aorta(folder, ['query', '--json', ...data, 'select id from activity order by id']);
  expect(JSON.parse(stdout)).toEqual(messages.flatMap(({ reason }, at) => (reason === undefined ? [{ id: `a-${at}` }] : [])));
  const letters = JSON.parse((await aorta(folder, ['dlq', 'list', '--json', ...data])).stdout) as {
    position: string;
    reason: string;
  }[];
  expect(letters.map(({ reason }) => reason).toSorted()).toEqual(messages.flatMap(({ reason }) => reason ?? []).toSorted());
  const bodies: string[] = [];
  for (const { position } of letters) bodies.push(await bytesOf(position, data));
  const unreadable = messages.flatMap(({ reason, body }) => (reason === undefined ? [] : [body.toString('hex')]));
  expect(bodies.toSorted()).toEqual(unreadable.toSorted());
});

/** Returns the bytes that `dlq show --body` writes, as hexadecimal digits. */
async function bytesOf(position: string, data: readonly string[]): Promise<string> {
  const words = [program, 'dlq', 'show', position, '--body', ...data];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: folder, encoding: 'buffer' });
  return stdout.toString('hex');
}

interface SignedMessage {
  readonly headers: Record<string, string | string[]>;
  readonly body: Buffer;
  /** Reason of the dead letter that the message becomes. */
  readonly reason?: string;
}

const summary = (at: number): Buffer =>
  Buffer.from(JSON.stringify({ event_type: 'daily.data.activity.created', user_id: 'u-1', data: { id: `a-${at}`, steps: at } }));
const messages: readonly SignedMessage[] = [
  { headers: {}, body: summary(0) },
  { headers: { 'content-type': '' }, body: summary(1) },
  { headers: { 'content-type': 'application/json, application/json' }, body: summary(2) },
  { headers: { 'content-type': 'multipart/form-data; boundary=' }, body: summary(3) },
  { headers: { 'content-type': 'application/json; charset=utf-16' }, body: summary(4) },
  { headers: { 'content-type': 'text/plain', 'content-encoding': 'br' }, body: summary(5) },
  { headers: { 'content-encoding': 'gzip' }, body: gzipSync(summary(6)) },
  { headers: { 'content-type': 'application/gzip' }, body: gzipSync(summary(7)) },
  { headers: { 'content-type': 'json' }, body: Buffer.from('event_type=x&user_id=u'), reason: 'not_json' },
  {
    headers: { 'content-type': 'application/json; charset=utf-16le' },
    body: Buffer.from(String(summary(9)), 'utf16le'),
    reason: 'not_json',
  },
  {
    headers: { 'content-type': 'application/json; charset=latin1' },
    body: Buffer.from('{"a":"\u00e9"}', 'latin1'),
    reason: 'not_utf8',
  },
  { headers: { 'content-encoding': 'deflate' }, body: deflateSync(summary(11)), reason: 'not_utf8' },
  { headers: { 'content-encoding': 'gzip', 'content-type': '' }, body: summary(12), reason: 'not_gzip' },
  { headers: { 'content-type': '' }, body: Buffer.alloc(0), reason: 'not_json' },
];
