import {
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Logger, silentLogger, writeDurably } from '@aorta/runtime';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { damagesOf } from '../../infra/machine/damage.fixture.ts';
import { privacyOptions } from '../privacy.ts';
import type { Warehouse, WarehouseReader } from '../warehouse.ts';
import { runIn } from './closed-file.fixture.ts';
import { openDuckDbReader } from './duckdb-reader.ts';
import { openDuckDbWarehouse } from './duckdb-warehouse.ts';
import { ForeignProgram } from './foreign-program.fixture.ts';
import { duckDb } from './module.ts';
import { duckDbOptions } from './options.ts';
import { copyDifference, publishedPath, walPath } from './published-copy.ts';

let folder: string;
let path: string;
let copy: string;
let warehouse: Warehouse;
let warnings: string[];

const logger: Logger = { ...silentLogger, warn: (message) => warnings.push(message) };

async function open(more: Record<string, unknown> = {}): Promise<Warehouse> {
  const settings = duckDbOptions.parse({ type: 'duckdb', path, ...more });
  return openDuckDbWarehouse({ ...settings, privacy: privacyOptions.parse({}), logger });
}

async function reopen(more: Record<string, unknown> = {}): Promise<void> {
  await warehouse.close();
  warehouse = await open(more);
}

/** Publishes a copy after a change of the tables. The copy has one more checkpoint than the one before. */
async function publishAgain(): Promise<void> {
  await warehouse.erase('nobody');
}

/** Number of rows of `users`, as readers see it. */
const rows = () => withReader(async (reader) => (await reader.rows()).users);

async function withReader<T>(look: (reader: WarehouseReader) => Promise<T>): Promise<T> {
  await using reader = await openDuckDbReader({ path });
  return await look(reader);
}

const difference = (deep = false) => withReader((reader) => reader.copyDifference!(deep));

const finding = (deep = false) =>
  withReader(async (reader) => {
    const findings = await duckDb.probe(reader, duckDbOptions.parse({ type: 'duckdb', path }), deep);
    return findings.find(({ check }) => check === 'published copy');
  });

const changes =
  "insert into users (event_type, user_id, _received_at, _origin, _offset, _reader, _loaded_at) select 'e', uuid(), now(), 1, 1, 1, now()";

/** An empty warehouse, because it takes a second to create its tables. */
let empty: string;
beforeAll(async () => {
  empty = mkdtempSync(join(tmpdir(), 'aorta-'));
  path = join(empty, 'warehouse.duckdb');
  await (await open()).close();
});
afterAll(() => rmSync(empty, { recursive: true, force: true }));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-'));
  path = join(folder, 'warehouse.duckdb');
  copy = publishedPath(path);
  warnings = [];
  copyFileSync(join(empty, 'warehouse.duckdb'), path);
  warehouse = await open();
  await warehouse.publish('now');
});
afterEach(async () => {
  await warehouse.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens the copy as a program that its mode does not stop, such as one that runs as root. */
async function openCopy(): Promise<ForeignProgram> {
  chmodSync(copy, 0o600);
  return ForeignProgram.open(copy);
}

describe('a program that writes to the copy', () => {
  test('is refused by the mode of the file', async () => {
    expect(statSync(copy).mode & 0o777).toBe(0o400);
    await expect(ForeignProgram.open(copy)).rejects.toThrow('Permission denied');
  });

  test('and is killed leaves a log that the next publication removes', async () => {
    await using program = await openCopy();
    await program.run(changes);
    await program.kill();
    expect(existsSync(walPath(path))).toBe(true);
    await expect(rows()).rejects.toMatchObject({ code: 'AORTA-COPY-WAL', details: { path: copy } });
    await publishAgain();
    expect(existsSync(walPath(path))).toBe(false);
    expect(warnings).toEqual([expect.stringContaining('its write-ahead log was removed')]);
    expect(await rows()).toBe(0);
    expect(await difference(true)).toBeUndefined();
  });

  test.each([0, 1, 2])(
    'after a publication, and after %i checkpoints of its own, cannot change what readers see',
    async (checkpoints) => {
      await using program = await openCopy();
      for (let done = 0; done < checkpoints; done++) {
        await program.run(changes);
        await program.run('checkpoint');
      }
      await publishAgain();
      await program.run(changes);
      await program.kill();
      expect(existsSync(walPath(path))).toBe(true);
      await expect(rows()).rejects.toMatchObject({ code: 'AORTA-COPY-WAL' });
      // What every other program of DuckDB does.
      await expect(runIn(copy, 'from users')).rejects.toThrow('WAL does not match database file');
      await publishAgain();
      expect(await rows()).toBe(0);
    },
  );

  test('that leaves a folder in place of a log stops no publication', async () => {
    mkdirSync(walPath(path));
    await publishAgain();
    expect(warnings).toEqual(Array(2).fill(expect.stringContaining('readers refuse the copy')));
    await expect(rows()).rejects.toMatchObject({ code: 'AORTA-COPY-WAL' });
  });

  test('keeps readers out while it runs, and the error names its process', async () => {
    await using program = await openCopy();
    await expect(rows()).rejects.toMatchObject({ code: 'AORTA-COPY-HELD', details: { holder: `process ${program.pid}` } });
    await publishAgain();
    expect(await rows()).toBe(0);
  });

  test('changes it, and the next start publishes a new one', async () => {
    await using program = await openCopy();
    await program.run(changes);
    await program.run('checkpoint');
    await program.kill();
    rmSync(walPath(path), { force: true });
    expect(await rows()).toBe(1);
    expect(await difference()).toEqual({ kind: 'changed', what: expect.stringContaining('headers') });
    expect(await finding()).toMatchObject({ state: 'fail', remedy: expect.stringContaining('read-only') });
    expect(warehouse.publicationDue!()).toBeUndefined();
    await reopen();
    expect(await warehouse.publish('due')).toBe(true);
    expect([await rows(), await difference(true)]).toEqual([0, undefined]);
  });
});

describe('a copy', () => {
  function overwrite(at: number): void {
    const { atime, mtime } = statSync(copy);
    chmodSync(copy, 0o600);
    const file = openSync(copy, 'r+');
    writeSync(file, Buffer.from('x'), 0, 1, at);
    closeSync(file);
    utimesSync(copy, atime, mtime);
  }

  test('as it was published has no difference', async () => {
    expect([await difference(), await difference(true)]).toEqual([undefined, undefined]);
    expect(await finding(true)).toMatchObject({ state: 'ok' });
  });

  test('with another byte in its last block differs in its content', async () => {
    overwrite(statSync(copy).size - 1);
    expect(await copyDifference(path, true)).toEqual({ kind: 'changed', what: 'content' });
  });

  test('with more bytes differs in its size', async () => {
    chmodSync(copy, 0o600);
    appendFileSync(copy, Buffer.alloc(262_144));
    expect(await difference()).toMatchObject({ kind: 'changed', what: 'size' });
    writeFileSync(copy, 'no database');
    await expect(rows()).rejects.toMatchObject({ code: 'AORTA-COPY-UNREADABLE', details: { path: copy } });
  });

  test('with another time or inode is replaced, and equal in its content', async () => {
    utimesSync(copy, new Date(0), new Date(0));
    expect(await difference()).toEqual({ kind: 'replaced', what: 'time of the last modification' });
    expect(await finding()).toMatchObject({ state: 'warn', remedy: expect.stringContaining('--deep') });
    const restored = join(folder, 'restored');
    copyFileSync(copy, restored);
    renameSync(restored, copy);
    expect(await difference()).toMatchObject({ kind: 'replaced', what: expect.stringContaining('inode') });
    expect(await difference(true)).toBeUndefined();
  });

  test('that an earlier publication made differs in its headers', async () => {
    const earlier = join(folder, 'earlier');
    copyFileSync(copy, earlier);
    await publishAgain();
    await publishAgain();
    renameSync(earlier, copy);
    expect(await difference()).toMatchObject({ kind: 'changed', what: expect.stringContaining('headers') });
  });

  test('is known if the writer was killed before the rename', async () => {
    const record = `${copy}.json`;
    const { copies } = JSON.parse(readFileSync(record, 'utf8'));
    expect(copies).toHaveLength(1);
    chmodSync(record, 0o600);
    await writeDurably(record, { copies: [{ ...copies[0], inode: '1', headers_sha256: '' }, ...copies] });
    expect(await difference(true)).toBeUndefined();
  });

  test('that an earlier publication made is not taken for the newest one', async () => {
    const earlier = join(folder, 'earlier');
    linkSync(copy, earlier);
    await publishAgain();
    renameSync(earlier, copy);
    expect(await difference()).toMatchObject({ kind: 'changed' });
  });

  test('with a damaged record is reported', async () => {
    const record = `${copy}.json`;
    const written = readFileSync(record);
    chmodSync(record, 0o600);
    for (const { what, content } of damagesOf(written, 11)) {
      writeFileSync(record, content);
      expect([what, await difference(true)]).toEqual([what, { kind: 'unrecorded', what: record }]);
    }
    writeFileSync(record, written);
    expect(await difference(true)).toBeUndefined();
  });

  test.each(['', '{"copies":[]}', undefined])(
    'with the record %j is reported, and the next start publishes a new one',
    async (text) => {
      rmSync(`${copy}.json`);
      if (text !== undefined) writeFileSync(`${copy}.json`, text);
      expect(await difference(true)).toEqual({ kind: 'unrecorded', what: `${copy}.json` });
      expect(await finding(true)).toMatchObject({ state: 'warn' });
      await reopen();
      expect(await warehouse.publish('due')).toBe(true);
      expect(await difference(true)).toBeUndefined();
    },
  );

  test('that a killed writer did not finish is removed at the next start', async () => {
    writeFileSync(`${copy}.4711.part`, 'half a copy');
    writeFileSync(`${copy}.mine.part`, 'no copy of Aorta');
    await reopen();
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual(['warehouse.published.duckdb.mine.part']);
  });
});

describe('permissions', () => {
  const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);
  const gid = process.getgid!();

  test.each([
    [{ published_group: gid }, '440', '710'],
    [{ published_group: String(gid), published_mode: 440 }, '440', '710'],
    [{ published_mode: '0444' }, '444', '711'],
    [{ published_mode: '400' }, '400', '700'],
    [{}, '400', '700'],
  ])('%j hold after every publication', async (settings, file, ofFolder) => {
    await reopen(settings);
    for (let publications = 0; publications < 2; publications++) {
      await publishAgain();
      expect([modeOf(copy), modeOf(dirname(copy)), statSync(copy).gid]).toEqual([file, ofFolder, gid]);
      chmodSync(copy, 0o600);
    }
    const others = readdirSync(folder).filter((name) => !name.startsWith('warehouse.published.'));
    expect(others.map((name) => [name, modeOf(join(folder, name))])).toEqual(others.map((name) => [name, '600']));
    expect(modeOf(`${copy}.json`)).toBe(file);
  });

  test.each([0o755, 0o1777, 0o2775])('stay those of a folder that readers can enter: %o', async (mode) => {
    chmodSync(folder, mode);
    await reopen({ published_mode: '0444' });
    expect(statSync(folder).mode & 0o7777).toBe(mode);
  });

  test('are refused if they would also open another file of the folder', async () => {
    writeFileSync(join(folder, 'export.ndjson'), '', { mode: 0o644 });
    chmodSync(join(folder, 'export.ndjson'), 0o644);
    const refusal = { code: 'AORTA-COPY-GROUP', details: { folder, code: expect.stringContaining('export.ndjson') } };
    await expect(reopen({ published_group: gid })).rejects.toMatchObject(refusal);
    expect(modeOf(folder)).toBe('700');
    warehouse = await open();
  });

  test('for a group that does not exist are refused', async () => {
    await expect(reopen({ published_group: 'no such group' })).rejects.toMatchObject({
      code: 'AORTA-COPY-GROUP',
      details: { folder, code: 'no such group' },
    });
    warehouse = await open();
  });
});
