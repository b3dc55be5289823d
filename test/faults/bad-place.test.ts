import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openLocalLog } from '@aorta/connectors/log';
import { writeDeliveryFiles } from '@aorta/people';
import { writeDurably } from '@aorta/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aorta, codesOf, type Report, type Said } from './command-line.ts';

/** Loads into data folders that are full, not writable, locked by another process, damaged, or written by a newer version. */

const bin = join(import.meta.dirname, '../../pipelines/aorta/bin/aorta.js');
const root = mkdtempSync(join(tmpdir(), 'aorta-place-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const [file = ''] = writeDeliveryFiles(join(root, 'deliveries'), { seed: 3, people: 4, days: 2, partitions: 1 });
const load = ['load', file, '--json', '--data', 'd'];
const digest = 'select md5(string_agg(t::text, chr(10) order by t::text)) from (select * exclude (_loaded_at) from timeseries) t';
let whole: { folder: string; report: Report; digest: string };
let folders = 0;

function newFolder(): string {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  return folder;
}

/** Returns a copy of a data folder that already contains the loaded file. */
function loadedFolder(): string {
  const folder = newFolder();
  cpSync(join(whole.folder, 'd'), join(folder, 'd'), { recursive: true });
  return folder;
}

async function digestOf(folder: string): Promise<string> {
  return (await aorta(folder, ['query', digest, '--csv', '--data', 'd'])).out;
}

/** Loads again without the fault, and expects complete tables. */
async function expectRecovered(folder: string): Promise<void> {
  const said = await aorta(folder, load);
  expect(said).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(said.out)).toEqual(whole.report);
  expect(await digestOf(folder)).toBe(whole.digest);
}

/** Expects one error with this code and its remedy, and nothing on standard output. */
function expectRefused(said: Said, code: string): void {
  expect(said).toMatchObject({ code: 1, out: '' });
  expect(codesOf(said)).toEqual([code]);
  // The error may be accompanied by log lines, for example about records that were not durable and are read again.
  expect(said.err.split('\n').filter((line) => !line.startsWith('{'))).toHaveLength(3);
}

beforeAll(async () => {
  const folder = newFolder();
  const said = await aorta(folder, load);
  expect(said.code).toBe(0);
  whole = { folder, report: JSON.parse(said.out), digest: await digestOf(folder) };
});

describe('a disk that is too small', () => {
  // `ulimit -f` makes every write beyond this size fail, and needs no privilege. Its unit in bash is 1 kB.
  test.each([0, 1, 10, 64, 200, 800])(
    'a load fails if no file may exceed %i kB, and a later load without this limit succeeds',
    async (kilobytes) => {
      const folder = newFolder();
      const limited = `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$0" "$@"`;
      const { status, stdout, stderr } = spawnSync('bash', ['-c', limited, process.execPath, bin, ...load], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, NO_COLOR: '1', NODE_DISABLE_COMPILE_CACHE: '1' },
      });
      expectRefused({ code: status ?? -1, out: stdout, err: stderr }, 'AORTA-DATA-UNWRITABLE');
      expect(stderr).toMatch(/cannot be written \((EFBIG: the file is too large for .*|write failed|copy failed)\)/);
      await expectRecovered(folder);
    },
  );
});

describe('a data folder that Aorta cannot create', () => {
  test('a load fails if the parent folder allows no new folders, even to root', async () => {
    const said = await aorta(newFolder(), ['load', file, '--json', '--data', '/proc/aorta']);
    expectRefused(said, 'AORTA-DATA-UNWRITABLE');
  });

  test('a load fails if a file has the name of the data folder', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'd'), '');
    const said = await aorta(folder, load);
    expect({ ...said, codes: codesOf(said) }).toMatchObject({ code: 2, out: '', codes: ['AORTA-PATH-REFUSED'] });
  });
});

describe('a data folder in use by another process', () => {
  test('a load names the process that has locked the data folder, and readers still work', async () => {
    const folder = loadedFolder();
    const writer = await openLocalLog({ folder: join(folder, 'd', 'streams') });
    try {
      const said = await aorta(folder, load);
      expectRefused(said, 'AORTA-DATA-LOCKED');
      expect(said.err).toContain(`process ${process.pid}`);
      expect(await digestOf(folder)).toBe(whole.digest);
    } finally {
      await writer.close();
    }
    await expectRecovered(folder);
  });

  test('a load fails if that process has the database file open', async () => {
    const folder = loadedFolder();
    const hold = `import { DuckDBInstance } from '@duckdb/node-api';
      const held = await (await DuckDBInstance.create(process.argv[1])).connect();
      process.stdout.write('held'); process.stdin.on('end', () => held.closeSync()).resume();`;
    const other = spawn(process.execPath, ['--input-type=module', '-e', hold, join(folder, 'd', 'warehouse.duckdb')], {
      cwd: join(import.meta.dirname, '../../connectors/warehouses'),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = text(other.stdout);
    await new Promise((held) => other.stdout.once('data', held));
    try {
      expectRefused(await aorta(folder, load), 'AORTA-WAREHOUSE-LOCKED');
    } finally {
      other.stdin.end();
      await ended;
    }
    await expectRecovered(folder);
  });
});

describe('data written by newer software', () => {
  test('a load refuses a data folder that a newer version of Aorta wrote', async () => {
    const folder = loadedFolder();
    await writeDurably(join(folder, 'd', 'streams', 'format.json'), { format: 99 });
    expectRefused(await aorta(folder, load), 'AORTA-DATA-NEWER');
    expect(await digestOf(folder)).toBe(whole.digest);
  });

  test('a load refuses a database file that a newer version of DuckDB wrote, and rebuilds the tables after the file is removed', async () => {
    const folder = loadedFolder();
    const path = join(folder, 'd', 'warehouse.duckdb');
    const bytes = readFileSync(path);
    // A DuckDB file begins with a checksum, magic bytes and the storage version.
    bytes.writeBigUInt64LE(999n, 12);
    writeFileSync(path, bytes);
    const said = await aorta(folder, load);
    expectRefused(said, 'AORTA-WAREHOUSE-UNREADABLE');
    expect(await digestOf(folder)).toBe(whole.digest);
    // The load silently discards the deliveries that it read before the database failed to open.
    expect(said.err).not.toContain('dropped');
    // Follows the remedy: after the file is removed, the next load rebuilds the tables from the streams.
    rmSync(path);
    await expectRecovered(folder);
  });
});

describe('a damaged segment', () => {
  const segmentOf = (folder: string): string => {
    const stream = join(folder, 'd', 'streams', 'timeseries');
    return join(stream, readdirSync(stream).find((name) => name.endsWith('.avro'))!);
  };

  test('a segment with a torn end is truncated to its durable records, and the load continues', async () => {
    const folder = loadedFolder();
    const segment = segmentOf(folder);
    writeFileSync(segment, Buffer.concat([readFileSync(segment), Buffer.from('torn')]));
    const said = await aorta(folder, load);
    expect(said.code).toBe(0);
    expect(JSON.parse(said.out)).toEqual(whole.report);
    expect(await digestOf(folder)).toBe(whole.digest);
  });

  test('a run fails if a truncated segment lacks records, and loads everything else', async () => {
    const folder = loadedFolder();
    const segment = segmentOf(folder);
    const bytes = readFileSync(segment).subarray(0, 5000);
    truncateSync(segment, 5000);
    for (let round = 0; round < 2; round += 1) {
      const said = await aorta(folder, ['run', '--only', 'loading', '--once', '--json', '--data', 'd']);
      expect([said.code, said.err]).toEqual([1, expect.stringContaining('AORTA-SEGMENT-LOST')]);
      expect(readFileSync(`${segment}.damaged`)).toEqual(bytes);
      expect(await digestOf(folder)).toBe(whole.digest);
    }
  });

  test('a segment with a corrupt block is named in the error and kept, until its deliveries are loaded again', async () => {
    const folder = loadedFolder();
    const segment = segmentOf(folder);
    const bytes = readFileSync(segment);
    bytes.fill(0xee, bytes.indexOf('\0', 5000) - 16, bytes.indexOf('\0', 5000) + 2000);
    writeFileSync(segment, bytes);
    const said = await aorta(folder, load);
    expect([said.code, said.err]).toEqual([1, expect.stringContaining('AORTA-SEGMENT-LOST')]);
    expect(said.err).toContain('timeseries/00000000000000000000.avro.damaged');
    expect(JSON.parse(said.out)).toEqual(whole.report);
    expect(readFileSync(`${segment}.damaged`)).toEqual(bytes);
    expect(await digestOf(folder)).toBe(whole.digest);
    // Follows the remedy, with new tables, which need every record.
    rmSync(`${segment}.damaged`);
    for (const name of readdirSync(join(folder, 'd'))) if (name.includes('.duckdb')) rmSync(join(folder, 'd', name));
    const again = await aorta(folder, load);
    expect([again.code, again.err]).toEqual([0, '']);
    expect(await digestOf(folder)).toBe(whole.digest);
  });
});

test('an unknown configuration key is reported with its line and the most similar key', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'aorta.yaml'), 'warehouse:\n  type: duckdb\nlimits:\n  body_byte: 5\n');
  const said = await aorta(folder, ['load', file]);
  expect(said).toMatchObject({ code: 2, out: '' });
  expect(said.err).toMatch(/^aorta: aorta\.yaml:4: .*body_byte.*\[AORTA-CONFIG-INVALID\]\n {2}.*body_bytes/);
  expect(readdirSync(folder)).toEqual(['aorta.yaml']);
});
