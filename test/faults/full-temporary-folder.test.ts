import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openDuckDbReader } from '@aorta/connectors/duckdb/module';
import { afterAll, describe, expect, test } from 'vitest';
import { aorta } from './command-line.ts';
import { SmallDisk } from './small-disk.ts';

const bin = join(import.meta.dirname, '../../pipelines/aorta/bin/aorta.js');
const root = mkdtempSync(join(tmpdir(), 'aorta-temporary-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const event = (number: number): string =>
  `${JSON.stringify({
    event_type: 'daily.data.activity.created',
    user_id: 'u-1',
    data: { id: `a-${number}`, calendar_date: '2026-05-04', steps: 10, source: { provider: 'oura', type: 'ring' } },
  })}\n`;
const MOST_BYTES = 2 * 2 ** 20;
const large = Array.from({ length: 20_000 }, (_, number) => event(number)).join('');
const at = ['--received-at', '2026-05-06T00:00:00Z'];

/** Loads `content` from standard input or from a named pipe, with this temporary folder. */
async function load(temporary: string, content: string, from: '-' | 'pipe') {
  const folder = mkdtempSync(join(root, 'load-'));
  // Node's compile cache would take space in the temporary folder.
  const env = { ...process.env, TMPDIR: temporary, NODE_DISABLE_COMPILE_CACHE: '1' };
  if (from === 'pipe') execFileSync('mkfifo', [join(folder, 'pipe')]);
  const child = spawn(process.execPath, [bin, 'load', from, ...at, '--json'], { cwd: folder, env });
  let input = child.stdin;
  if (from === 'pipe') {
    input = spawn('sh', ['-c', 'cat > pipe'], { cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] }).stdin;
  }
  // The command closes its input when it cannot copy it.
  input.on('error', () => {});
  input.end(content);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, out: out === '' ? undefined : JSON.parse(out), err };
}

const refusal = (temporary: string, file: string, cause: string) => ({
  code: 1,
  out: { received: 0 },
  err: expect.stringMatching(
    new RegExp(`^aorta: The temporary folder ${temporary} cannot hold a copy of ${file} \\(${cause}\\)\\. \\[AORTA-FILE-TEMPORARY\\]
  Aorta loaded no part of it\\. Free space there, or set TMPDIR .* in place of \`-\`\\.\n$`),
  ),
});

describe.skipIf(process.platform !== 'linux')('a temporary folder without enough space', () => {
  test.each(['-', 'pipe'] as const)(
    'a load from %s names the folder, the cause and the remedy, and the next load succeeds',
    async (from) => {
      expect(large.length).toBeGreaterThan(MOST_BYTES);
      const disk = await SmallDisk.make(MOST_BYTES / 2 ** 20);
      try {
        const file = from === '-' ? 'standard input' : 'pipe';
        expect(await load(disk.folder, large, from)).toMatchObject(refusal(disk.folder, file, 'ENOSPC: the disk is full'));
        expect(readdirSync(disk.folder)).toEqual([]);
        expect(await load(disk.folder, event(1), from)).toMatchObject({ code: 0, out: { received: 1 }, err: '' });
      } finally {
        await disk.remove();
      }
    },
  );

  test('a query that needs more says so, and not that it needs more memory', async () => {
    const disk = await SmallDisk.make(64);
    try {
      const warehouse = join(disk.folder, 'health.duckdb');
      expect(await aorta(root, ['load', '-', ...at, '--warehouse', `duckdb:${warehouse}`], event(1))).toMatchObject({ code: 0 });
      disk.fill(2 ** 20);
      await using reader = await openDuckDbReader({ path: warehouse, memory: '20MB' });
      await expect(reader.query('select * from range(5000000) t(x) order by hash(x)')).rejects.toMatchObject({
        code: 'AORTA-QUERY-FAILED',
        message: expect.stringContaining('too little space for the temporary data of the query'),
      });
    } finally {
      await disk.remove();
    }
  });
});

test('a temporary folder that is a file is named with its cause', async () => {
  const temporary = join(root, 'file');
  writeFileSync(temporary, '');
  expect(await load(temporary, event(1), '-')).toMatchObject(
    refusal(temporary, 'standard input', 'ENOTDIR: a part of the path is not a folder'),
  );
});

test('a temporary folder that does not exist is named with its cause', async () => {
  const temporary = join(root, 'absent');
  expect(await load(temporary, event(1), '-')).toMatchObject(
    refusal(temporary, 'standard input', 'ENOENT: no such file or folder'),
  );
  mkdirSync(temporary);
  expect(await load(temporary, event(1), '-')).toMatchObject({ code: 0, out: { received: 1 } });
});

test.skipIf(process.platform !== 'linux')('a file that cannot be opened to be copied is named with its cause', async () => {
  const child = spawn(process.execPath, [bin, 'load', '/dev/fd/3', ...at], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  // The third descriptor is a socket, which cannot be opened by its name.
  const [err, [code]] = await Promise.all([text(child.stderr!), once(child, 'close')]);
  expect([code, err]).toEqual([1, expect.stringContaining('/dev/fd/3 cannot be read (ENXIO)')]);
});
