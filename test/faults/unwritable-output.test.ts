import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandTree, run } from '../../pipelines/aorta/cli/command-line.ts';
import { keptOutput } from '../../pipelines/aorta/cli/printing/output.fixture.ts';
import type { Surroundings } from '../../pipelines/aorta/cli/surroundings.ts';
import { ProgramError } from '../../pipelines/aorta/errors.ts';

const bin = join(import.meta.dirname, '../../pipelines/aorta/bin/aorta.js');
const folder = mkdtempSync(join(tmpdir(), 'aorta-output-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Command = Awaited<ReturnType<typeof commandTree>>;
type Target = 'pipe' | '/dev/full' | '/dev/null';

/** Runs `aorta` with its outputs connected to these targets. Returns its exit code and what it wrote to pipes. */
async function aorta(words: readonly string[], out: Target = 'pipe', err: Target = 'pipe') {
  const [stdout, stderr] = [out, err].map((target) => (target === 'pipe' ? target : openSync(target, 'w')));
  const child = spawn(process.execPath, [bin, ...words], { cwd: folder, stdio: ['ignore', stdout!, stderr!] });
  const read = (stream: Readable | null) => (stream === null ? '' : text(stream));
  const [said, told, [code]] = await Promise.all([read(child.stdout), read(child.stderr), once(child, 'close')]);
  return { code: code as number | null, out: said, err: told };
}

const EVENT = {
  event_type: 'daily.data.activity.created',
  user_id: 'u-1',
  data: { id: 'a-1', calendar_date: '2026-05-04', steps: 10, source: { provider: 'oura', type: 'ring' } },
};
const UNREADABLE = { event_type: 'daily.data.activity.created', data: 1 };

beforeAll(async () => {
  writeFileSync(join(folder, 'events.ndjson'), `${[EVENT, UNREADABLE].map((event) => JSON.stringify(event)).join('\n')}\n`);
  writeFileSync(
    join(folder, 'aorta.yaml'),
    `warehouse: { type: duckdb, path: health.duckdb }
sources: [{ type: files, paths: [events.ndjson] }]
historical_pulls: {}
`,
  );
  expect(await aorta(['run', '--once'])).toMatchObject({ code: 0 });
});

/** Commands that print data, at least one of each verb. */
const printing = [
  'demo --dry-run',
  'load events.ndjson --json',
  'load events.ndjson --data other',
  'run --once',
  'run --once --json',
  'run --dry-run',
  'query "select 1 as x"',
  'query "select * from range(100000)" --csv',
  'query "select 1 as x" --json',
  'status',
  'status --json',
  'pulls',
  'streams',
  'tail --once',
  'tail',
  'dlq list',
  'validate',
  'doctor',
  'schema',
  'schema timeseries',
  'dev event-hubs --port 0 --control-port 0',
  'dev webhook --port 0',
  'service --port 0 --control-port 0 --folder service',
  'backfill --help',
  'plan --help',
  'apply --help',
  '--version',
  '--help',
];

function leavesOf(command: Command, path: readonly string[] = []): string[] {
  const inner = command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]));
  return inner.length > 0 ? inner : [path.join(' ')];
}

const quiet = { signal: new AbortController().signal, cause: undefined, [Symbol.dispose]: () => {} };
const surroundings: Surroundings = {
  terminal: { out: keptOutput(), err: keptOutput() },
  environment: {},
  folder,
  input: Readable.from([]),
  stopRequest: () => quiet,
};
const verbs = (await commandTree(surroundings)).commands;

test('each verb is a case', () => {
  expect(verbs.filter((verb) => !printing.some((line) => line.split(' ')[0] === verb.name())).map((verb) => verb.name())).toEqual(
    [],
  );
});

const wordsOf = (line: string): string[] => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);

const REFUSED = {
  code: 1,
  err: expect.stringMatching(
    /^aorta: The standard output cannot be written \(ENOSPC: the disk is full\)\. \[AORTA-OUTPUT-UNWRITABLE\]\n {2}.+\n$/m,
  ),
};

describe.skipIf(process.platform !== 'linux')('if standard output cannot be written', () => {
  test.each(printing)('%s names the cause, and exits with code 1', async (line) => {
    const { code, err } = await aorta(wordsOf(line), '/dev/full');
    expect({ code, err }).toEqual(REFUSED);
    expect(err.match(/^aorta: /gm)).toHaveLength(1);
    expect(err).not.toContain('uncaught');
  });

  test('the help of every command does the same', async () => {
    const lines = verbs.flatMap((verb) => leavesOf(verb, [verb.name()])).map((path) => `${path} --help`);
    expect(lines.length).toBeGreaterThan(25);
    const full = () => Promise.reject(new ProgramError('AORTA-OUTPUT-UNWRITABLE', { code: 'ENOSPC' }));
    for (const line of lines) {
      const err = keptOutput();
      const code = await run(wordsOf(line), { ...surroundings, terminal: { out: { ...keptOutput(), write: full }, err } });
      expect([line, { code, err: err.text }]).toEqual([line, REFUSED]);
    }
  });

  test('the data that the command has loaded is safe', async () => {
    expect(await aorta(['load', 'events.ndjson', '--data', 'safe'], '/dev/full')).toMatchObject(REFUSED);
    const { out } = await aorta(['query', 'select count(*) as rows from activity', '--csv', '--data', 'safe']);
    expect(out).toBe('rows\r\n1\r\n');
  });
});

test('if the reader of standard output ends first, the command ends silently with code 0', async () => {
  const child = spawn(process.execPath, [bin, 'query', 'select * from range(1000000)', '--csv'], { cwd: folder });
  child.stdout.once('data', () => child.stdout.destroy());
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect([code, err]).toEqual([0, '']);
});

describe.skipIf(process.platform !== 'linux')('if standard error cannot be written, the exit code is the same', () => {
  test.each([
    ['validate', 0],
    ['load events.ndjson --data other', 0],
    ['load absent.ndjson', 2],
    ['query "select nothing"', 2],
    ['quary', 2],
    ['query "select 1" --data nowhere', 2],
  ])('%s: %d', async (line, code) => {
    expect((await aorta(wordsOf(line))).code).toBe(code);
    expect((await aorta(wordsOf(line), 'pipe', '/dev/full')).code).toBe(code);
    expect((await aorta(wordsOf(line), '/dev/null', '/dev/full')).code).toBe(code);
  });

  test('also if its reader has ended', async () => {
    const child = spawn(process.execPath, [bin, 'load', 'events.ndjson', '--data', 'other'], { cwd: folder });
    child.stderr.destroy();
    child.stdout.resume();
    expect(await once(child, 'close')).toEqual([0, null]);
  });
});
