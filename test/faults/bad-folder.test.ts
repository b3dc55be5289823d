import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { inTime } from '../../infra/machine/waiting.fixture.ts';
import { codesOf, type Report, type Said } from './command-line.ts';

/** Loads a folder with unreadable entries and files without events. The output names each problem. All other files are loaded. */

const bin = join(import.meta.dirname, '../../pipelines/aorta/bin/aorta.js');
const root = mkdtempSync(join(tmpdir(), 'aorta-folder-'));
afterAll(() => {
  for (const path of ['in/locked.json', 'in/locked']) chmodSync(join(root, path), 0o700);
  rmSync(root, { recursive: true, force: true });
});

const event = (id: string): string =>
  `{"event_type":"daily.data.activity.created","user_id":"u","data":{"id":"${id}","source":{"provider":"oura"}}}\n`;
/** A binary file that contains line breaks. */
const image = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
  Buffer.alloc(3 * 489, Buffer.from([0, 255, 10])),
]);

/** If the tests run as root, the command runs without the capabilities that bypass file permissions. */
const obeying = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] : [];

const aorta = (...words: string[]): Promise<Said> => run([process.execPath, bin, ...words]);

async function run(words: readonly string[]): Promise<Said> {
  const [program = '', ...rest] = [...obeying, ...words];
  const child = spawn(program, rest, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  try {
    // If the command opened the named pipe, it would block forever.
    const [code] = await inTime(`${words.slice(1).join(' ')} to end`, once(child, 'close'), () => said);
    return { code, ...said };
  } finally {
    child.kill('SIGKILL');
  }
}

mkdirSync(join(root, 'in', 'locked'), { recursive: true });
writeFileSync(join(root, 'in', 'a.json'), event('a'));
symlinkSync('nowhere', join(root, 'in', 'b.json'));
execFileSync('mkfifo', [join(root, 'in', 'c.json')]);
writeFileSync(join(root, 'in', 'd.png'), image);
writeFileSync(join(root, 'in', 'locked', 'x.json'), event('x'));
writeFileSync(join(root, 'in', 'locked.json'), event('y'));
writeFileSync(join(root, 'in', 'z.json'), `${event('z')}\nno JSON\n`);
for (const path of ['in/locked.json', 'in/locked']) chmodSync(join(root, path), 0o000);

const problems = [
  ['in/b.json', 'AORTA-FILE-LEFT-OUT', 'a dangling link'],
  ['in/c.json', 'AORTA-FILE-LEFT-OUT', 'a named pipe'],
  ['in/d.png', 'AORTA-FILE-FORMAT', 'binary data'],
  ['in/locked', 'AORTA-FILE-UNREADABLE', 'EACCES'],
  ['in/locked.json', 'AORTA-FILE-UNREADABLE', 'EACCES'],
] as const;

function expectNamed(text: string): void {
  for (const [file, code, problem] of problems)
    expect(
      text.split('\n').filter((line) => line.includes(`${file} `) && line.includes(code) && line.includes(problem)),
    ).toHaveLength(1);
}

function expectTaken({ code, out }: Said): void {
  expect(code).toBe(1);
  expect(JSON.parse(out) as Report).toMatchObject({
    received: 3,
    streams: { activity: 2 },
    dead_letters: { not_json: 1 },
  });
}

describe('a folder with a dangling link, a named pipe, an image, and a file and a folder without read permission', () => {
  test('`aorta load` skips the entries that it cannot read, and names each of them', async () => {
    const said = await aorta('load', 'in', '--json', '--received-at', '2026-03-28T12:00:00Z', '--data', 'd');
    expectTaken(said);
    expect(codesOf(said)).toHaveLength(problems.length);
    expectNamed(said.err);
  });

  test('`aorta run` skips the entries that it cannot read, and names each of them once in the log', async () => {
    writeFileSync(join(root, 'run.yaml'), 'sources: [{ type: files, paths: [in] }]\n');
    const said = await aorta('run', '--once', '--json', '--config', 'run.yaml', '--data', 'e');
    expectTaken(said);
    expectNamed(said.err);
  });

  test('`aorta dlq` shows the file and line of each dead letter', async () => {
    const list = await aorta('dlq', 'list', '--data', 'd');
    expect(list.code).toBe(0);
    expect(list.out.match(/\bin\/\S+/g)).toEqual(['in/z.json:3']);
    const letters = JSON.parse((await aorta('dlq', 'list', '--json', '--data', 'd')).out) as Record<string, unknown>[];
    expect(letters.map(({ reason, file, line, bytes }) => [reason, file, line, bytes])).toEqual([
      ['not_json', 'in/z.json', 3, 'no JSON'.length],
    ]);
    const shown = await aorta('dlq', 'show', String(letters[0]!.position), '--data', 'd');
    expect(shown.out).toMatch(/^file +in\/z\.json:3$/m);
  });

  test('`aorta load --dry-run` lists the regular files, and reports the other entries', async () => {
    const said = await aorta('load', 'in', '--dry-run', '--json', '--data', 'd');
    expect(said.code).toBe(0);
    expect((JSON.parse(said.out).files as { path: string }[]).map(({ path }) => path)).toEqual([
      'in/a.json',
      'in/d.png',
      'in/locked.json',
      'in/z.json',
    ]);
    expect(codesOf(said)).toHaveLength(3);
  });
});

test('a warehouse or folder without permission is not taken for a missing one', async () => {
  for (const name of ['warehouse', 'warehouse.published']) chmodSync(join(root, 'd', `${name}.duckdb`), 0o000);
  const unreadable = await aorta('query', 'select 1', '--data', 'd');
  expect(unreadable.code).toBe(1);
  expect(unreadable.err).toMatch(/no permission to open .*published\.duckdb\. \[AORTA-COPY-DENIED\]/);
  const hidden = await aorta('query', 'select 1', '--data', 'in/locked/data');
  expect(hidden.code).toBe(2);
  expect(hidden.err).toMatch(/in\/locked\/data\/warehouse\.duckdb: EACCES: permission denied\. \[AORTA-PATH-REFUSED\]/);
});

test('a shell pattern finds a file whose name is not UTF-8', async () => {
  mkdirSync(join(root, 'latin-1'));
  writeFileSync(Buffer.from(join(root, 'latin-1', 'caf\xe9.json'), 'latin1'), event('caf'));
  // The shell passes on the bytes of the name, which Node replaces.
  const said = await run(['sh', '-c', '"$0" "$@" latin-1/caf*', process.execPath, bin, 'load', '--data', 'g', '--json']);
  expect(said.err).toBe('');
  expect(JSON.parse(said.out) as Report).toMatchObject({ received: 1, streams: { activity: 1 } });
});
