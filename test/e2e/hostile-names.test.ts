import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { aorta, type Said } from '../faults/command-line.ts';

/** A name with the control characters that a terminal obeys. Its second line must not become a line of the output. */
const hostile = 'x\u001b]0;title\u0007\u001b[31m\u009b2J\u007f\r\nFORGED \u202ey\u2028z';
/** The name in messages for people. */
const shown = 'x\\x1b]0;title\\x07\\x1b[31m\\x9b2J\\x7f\\r\\nFORGED \\u202ey\\u2028z';

/** All control characters, except the line break. */
const control = /[[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]--\n]/v;
const forged = /^FORGED/m;

let folder: string;
let service: Server;
const logged: string[] = [];

/** Answers every request with members that hold the hostile name. */
function controlPort(): Server {
  const details = { team_id: hostile, org_id: hostile, name: hostile, api_key: hostile, management_key: hostile, plan: hostile };
  const things = {
    ...details,
    rule_id: hostile,
    match: { [hostile]: hostile },
    attempts: [],
    user_id: hostile,
    slug: hostile,
    status: hostile,
    betas: [hostile],
    filter_types: [hostile],
  };
  const lists = Object.fromEntries(
    ['teams', 'organizations', 'faults', 'webhooks', 'snapshots', 'requests', 'pulls'].map((name) => [name, [things]]),
  );
  return createServer((request, response) => {
    const refused = request.url!.startsWith('/restore');
    response.writeHead(refused ? 404 : 200, { 'content-type': 'application/json', 'aorta-control': '1' });
    response.end(JSON.stringify(refused ? { detail: hostile } : { ...things, ...lists }));
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-hostile-'));
  const drop = join(folder, `drop ${hostile}`);
  mkdirSync(drop);
  writeFileSync(join(drop, `empty ${hostile}.ndjson`), '');
  symlinkSync('nowhere', join(drop, `link ${hostile}.ndjson`));
  const event = (event_type: string, data: object) =>
    JSON.stringify({ event_type, user_id: hostile, client_user_id: hostile, team_id: hostile, data });
  const source = { provider: hostile, type: hostile };
  const bodies = [
    event('daily.data.activity.created', { id: hostile, date: '2026-01-31T00:00:00Z', source, [hostile]: hostile }),
    event(`daily.data.activity.${hostile}`, { id: 'b', source }),
    event('daily.data.heartrate.created', { source, data: [{ [hostile]: hostile }] }),
    event(hostile, {}),
    JSON.stringify({ user_id: hostile, data: {} }),
  ];
  const receipts = bodies.map((body, offset) => {
    const receipt = { source: hostile, partition: hostile, offset, received_at: '2026-02-01T00:00:00Z' };
    return `${JSON.stringify({ ...receipt, headers: { [hostile]: hostile } }).slice(0, -1)},"body":${body}}\n`;
  });
  writeFileSync(join(drop, `deliveries ${hostile}.jsonl`), receipts.join(''));
  writeFileSync(join(drop, `events ${hostile}.ndjson`), `${bodies.join('\n')}\nno JSON\n`);
  writeFileSync(join(folder, `${hostile}.yaml`), configuration({ type: 'files', name: hostile, paths: [drop] }));
  writeFileSync(join(folder, `unknown ${hostile}.yaml`), configuration({ type: hostile }, { [hostile]: hostile }));
  writeFileSync(join(folder, `unclosed ${hostile}.yaml`), `sources: [{ "a\\u001b": {\n`);
  service = controlPort();
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
});
afterAll(() => {
  service.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  logged.length = 0;
  // The logger writes to the standard error of the process.
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((line) => logged.push(String(line)) > 0);
  return () => void spy.mockRestore();
});

/** A configuration as JSON, which is YAML, too. */
const configuration = (source: object, more: object = {}): string => JSON.stringify({ sources: [source], ...more });

function expectHarmless({ out, err }: Pick<Said, 'out' | 'err'>): void {
  for (const text of [out, err, ...logged]) {
    expect(text).not.toMatch(control);
    expect(text).not.toMatch(forged);
  }
}

const data = ['--data', `data ${hostile}`];
const drop = `drop ${hostile}`;
const config = (name: string): string[] => ['--config', `${name}${hostile}.yaml`];
const address = (): string[] => ['--control-url', `http://127.0.0.1:${(service.address() as AddressInfo).port}`];

const received = ['--received-at', '2026-02-01T00:00:00Z'];
const other = ['--data', `other data ${hostile}`];
const position = `${encodeURIComponent(hostile)}/${encodeURIComponent(hostile)}/4`;

type Case = readonly [name: string, words: () => readonly string[], code: number, prints?: string];

/** Commands for people, their exit codes, and what they print. The first ones create the tables that the others read. */
const commands: readonly Case[] = [
  ['load', () => ['load', drop, ...received, ...data], 1],
  ['load --dry-run', () => ['load', drop, '--dry-run', ...data], 0],
  ['load of a missing file', () => ['load', hostile, ...data], 2],
  ['load --source', () => ['load', drop, '--source', hostile, ...received, ...data], 1],
  ['query', () => ['query', 'select * from activity', ...data], 0],
  ['query with a column name', () => ['query', `select 1 as "${hostile}"`, ...data], 0],
  ['query of an unknown column', () => ['query', `select "${hostile}" from activity`, ...data], 2],
  ['query of an unknown table', () => ['query', `select 1 from "${hostile}"`, ...data], 2, 'AORTA-QUERY-FAILED'],
  ['query with a wrong value', () => ['query', `select cast('${hostile}' as int)`, ...data], 2, 'AORTA-QUERY-FAILED'],
  ['query that is not SQL', () => ['query', `${hostile} '`, ...data], 2, 'AORTA-QUERY-FAILED'],
  ['status', () => ['status', ...data], 0],
  ['streams', () => ['streams', ...data], 0, 'activity'],
  ['tail', () => ['tail', '--once', ...data], 0, 'unrouted'],
  ['tail of an unknown stream', () => ['tail', hostile, '--once', ...data], 2],
  ['dlq list', () => ['dlq', 'list', ...data], 0],
  ['dlq list --reason', () => ['dlq', 'list', '--reason', hostile, ...data], 2],
  ['dlq show', () => ['dlq', 'show', position, ...data], 0],
  ['dlq show of a missing position', () => ['dlq', 'show', hostile, ...data], 2],
  ['pulls', () => ['pulls', '--user', hostile, '--provider', hostile, ...data], 0, 'No pulls match.'],
  ['schema of an unknown stream', () => ['schema', hostile], 2],
  ['validate', () => ['validate', ...config('')], 0],
  ['validate with an unknown key', () => ['validate', ...config('unknown ')], 2],
  ['validate of broken YAML', () => ['validate', ...config('unclosed ')], 2],
  ['validate of a missing file', () => ['validate', ...config('missing ')], 2],
  ['doctor', () => ['doctor', ...config(''), ...data], 0],
  ['doctor with an unknown key', () => ['doctor', ...config('unknown ')], 1],
  ['run --dry-run', () => ['run', '--dry-run', ...config(''), ...data], 0],
  ['run --once', () => ['run', '--once', ...config(''), ...other], 1, `--config "$(printf 'x\\033\\135`],
  ['status after a run', () => ['status', ...config(''), ...other], 0],
  ['streams --sources after a run', () => ['streams', '--sources', ...config(''), ...other], 0, 'No process'],
  ['demo --dry-run', () => ['demo', '--dry-run', '--folder', hostile], 0],
  ['dev event-hubs', () => ['dev', 'event-hubs', '--hub', `${hostile}:0`], 2],
  ['dev webhook', () => ['dev', 'webhook', '--port', '0', '--path', hostile, '--folder', hostile], 2, 'must start with a slash'],
  ['service team create', () => ['service', 'team', 'create', hostile, ...address()], 0],
  ['service team list', () => ['service', 'team', 'list', ...address()], 0],
  ['service team beta', () => ['service', 'team', 'beta', hostile, hostile, ...address()], 0],
  ['service organization list', () => ['service', 'organization', 'list', ...address()], 0],
  ['service organization plan', () => ['service', 'organization', 'plan', hostile, 'grow', ...address()], 0],
  ['service fault list', () => ['service', 'fault', 'list', ...address()], 0],
  ['service webhook list', () => ['service', 'webhook', 'list', ...address()], 0],
  ['service snapshot', () => ['service', 'snapshot', hostile, ...address()], 0],
  ['service restore', () => ['service', 'restore', hostile, ...address()], 0],
  ['service requests', () => ['service', 'requests', ...address()], 0],
  ['service pulls list', () => ['service', 'pulls', 'list', ...address()], 0],
  ['an unknown command', () => [hostile], 2],
  ['an unknown command of a group', () => ['dlq', hostile], 2],
  ['an unknown option', () => ['load', `--${hostile}`], 2],
];

for (const [name, words, code, prints = shown] of commands)
  test(`\`aorta ${name}\` shows control characters as escapes, also in its log`, async () => {
    const said = await aorta(folder, words());
    expect(said.code).toBe(code);
    expect(`${said.out}${said.err}`).toContain(prints);
    expectHarmless(said);
  });

test('a suggested command has the exact name of the folder, as the shell reads it', async () => {
  const { out } = await aorta(folder, ['dlq', 'list', ...data]);
  const [, word] = /aorta dlq show \S+ --data (.*)\n/.exec(out)!;
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  const { stdout } = await promisify(execFile)('sh', ['-c', `printf %s ${word}`], { env });
  expect(stdout).toBe(`data ${hostile}`);
});

test('--json prints the exact values without control characters', async () => {
  const { out } = await aorta(folder, ['query', 'select user_id from activity', '--json', ...data]);
  expect(JSON.parse(out)).toEqual([{ user_id: hostile }]);
  const validate = await aorta(folder, ['validate', '--json', ...config('')]);
  expect(JSON.parse(validate.out)).toMatchObject({ file: `${hostile}.yaml`, sources: [{ name: hostile }] });
  const letter = await aorta(folder, ['dlq', 'show', position, '--json', ...data]);
  expect(JSON.parse(letter.out).header_names).toEqual([hostile.toLowerCase()]);
  for (const text of [out, validate.out, letter.out]) expect(text).not.toMatch(control);
});

test('--csv and `dlq show --body` write the exact bytes', async () => {
  const { out } = await aorta(folder, ['query', 'select user_id from activity limit 1', '--csv', ...data]);
  expect(out).toBe(`user_id\r\n"${hostile}"\r\n`);
  const body = await aorta(folder, ['dlq', 'show', position, '--body', ...data]);
  expect(JSON.parse(body.out)).toEqual({ user_id: hostile, data: {} });
});

test('lines of a log have the exact names without control characters', async () => {
  await aorta(folder, ['run', '--once', ...config(''), ...other]);
  const lines = logged
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ source }) => source)).toContain(hostile);
  for (const line of logged) expect(line).not.toMatch(control);
});
