import { closeSync, openSync, writeFileSync } from 'node:fs';
import { link, mkdir, mkdtemp, realpath, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealJson, writeDurably } from '@aorta/runtime';
import { createLogger } from '@aorta/runtime/json-logger';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Outputs } from '../source.ts';
import { FilesSource, type FilesSourceOptions } from './source.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'own-')));
  await mkdir(join(folder, 'in'));
});
afterEach(() => rm(folder, { recursive: true }));

const at = (...names: string[]): string => join(folder, 'in', ...names);
const event = (id: string): string => `${JSON.stringify({ event_type: 'daily.data.steps.created', user_id: id, data: {} })}\n`;
const outputs = (paths: Record<string, string>, descriptors: readonly (readonly [number, string])[] = []): Outputs => ({
  paths: new Map(Object.entries(paths)),
  descriptors: new Map(descriptors),
});

/** Reads a folder. Returns the ids of its users, and the errors. */
async function read(options: Partial<FilesSourceOptions> = {}): Promise<{ users: string[]; errors: string[] }> {
  const source = new FilesSource({ paths: [join(folder, 'in')], receivedAt: 42, ...options });
  const users: string[] = [];
  for await (const { deliveries } of source.batches(new AbortController().signal))
    for (const { body } of deliveries) users.push((JSON.parse(body.toString()) as { user_id: string }).user_id);
  return { users, errors: source.errors.map(({ code, message }) => `${code} ${message.replaceAll(folder, '…')}`) };
}

describe('the outputs of the process', () => {
  test('are left out under any name and through any link, and the other files are read', async () => {
    writeFileSync(at('a.ndjson'), event('a'));
    await mkdir(at('streams', 'state'), { recursive: true });
    writeFileSync(at('streams', 'state', 'x.ndjson'), event('own'));
    writeFileSync(at('table'), event('own'));
    writeFileSync(at('log'), event('own'));
    await symlink('streams/state', at('to-state'));
    await symlink('table', at('to-table'));
    await link(at('log'), at('other-log'));
    await mkdir(join(folder, 'real'));
    await symlink(join(folder, 'in'), join(folder, 'in-link'));
    const log = openSync(at('log'), 'r+');
    const own = outputs(
      { [join(folder, 'in-link', 'streams')]: 'the streams', [at('table')]: 'the tables', [at('later')]: 'a file of later' },
      [
        [log, 'the log'],
        [-1, 'a closed descriptor'],
      ],
    );
    const lost = (name: string, what: string): string => `AORTA-FILE-OWN …/in/${name} was left out: it is ${what}.`;
    expect(await read({ outputs: own })).toEqual({
      users: ['a'],
      errors: [
        lost('log', 'the log'),
        lost('other-log', 'the log'),
        lost('streams', 'the streams'),
        lost('table', 'the tables'),
        lost('to-state', 'the streams'),
        lost('to-table', 'the tables'),
      ],
    });
    writeFileSync(at('later'), event('own'));
    await rename(at('table'), at('table-of-before'));
    const { users } = await read({ outputs: own });
    expect(users).toEqual(['a', 'own']);
    closeSync(log);
  });

  test('are refused if the caller names them', async () => {
    await mkdir(at('streams', 'state'), { recursive: true });
    writeFileSync(at('streams', 'state', 'x.ndjson'), event('own'));
    const own = outputs({ [at('streams')]: 'the streams' });
    const paths = [at('streams'), at('streams', 'state'), at('streams', 'state', 'x.ndjson')];
    expect(await read({ paths, outputs: own })).toEqual({
      users: [],
      errors: paths.map((path) => `AORTA-FILE-FORMAT ${path.replace(folder, '…')} is the streams, which Aorta does not read.`),
    });
  });
});

describe('the outputs of another installation', () => {
  const duckDb = Buffer.alloc(12_288);
  // The version number after the magic bytes is 64.
  duckDb.write('DUCK@', 8);
  const walOfDuckDb = Buffer.from('640062650002ffff3f00000000000000ca9f33da8752ad8a', 'hex');
  const sealed = `${sealJson('{"copies":[]}').text}\n`;

  function logged(): string {
    let text = '';
    const logger = createLogger('info', { write: (line: string) => (text += line) });
    logger.info('started', { source: 'files' });
    return text;
  }

  test('are recognized by their content, and left out', async () => {
    writeFileSync(at('export.duckdb.ndjson'), event('a'));
    writeFileSync(at('health.db'), duckDb);
    writeFileSync(at('health.db.wal'), walOfDuckDb);
    writeFileSync(at('record.json'), sealed);
    writeFileSync(at('run.txt'), logged());
    writeFileSync(at('appended.log'), `aorta: no configuration\n\n${logged()}`);
    writeFileSync(at('cut.log'), logged().slice(20) + logged());
    await mkdir(at('s', 'unrouted'), { recursive: true });
    await writeDurably(at('s', 'format.json'), { format: 1 });
    writeFileSync(at('s', 'unrouted', 'x.ndjson'), event('own'));
    const lost = (name: string, what: string): string => `AORTA-FILE-OWN …/in/${name} was left out: it is ${what}.`;
    const { users, errors } = await read();
    expect(users).toEqual(['a']);
    expect(errors.toSorted()).toEqual([
      lost('appended.log', 'a log in the format of Aorta'),
      lost('cut.log', 'a log in the format of Aorta'),
      lost('health.db', 'a DuckDB database'),
      lost('health.db.wal', 'a write-ahead log of DuckDB'),
      lost('record.json', 'a state file of Aorta'),
      lost('run.txt', 'a log in the format of Aorta'),
      lost('s', 'a folder with streams of Aorta'),
    ]);
  });

  test('are refused if the caller names them', async () => {
    writeFileSync(at('health.db'), duckDb);
    writeFileSync(at('run.txt'), logged());
    const { errors } = await read({ paths: [at('health.db'), at('run.txt')] });
    expect(errors).toEqual([
      'AORTA-FILE-FORMAT …/in/health.db is a DuckDB database, which Aorta does not read.',
      'AORTA-FILE-FORMAT …/in/run.txt is a log in the format of Aorta, which Aorta does not read.',
    ]);
  });

  test('input that resembles them is read', async () => {
    const fields = { name: 'aorta', level: 30, time: '2026-01-01T00:00:00.000Z', msg: 'x', crc32: '00000000' };
    writeFileSync(
      at('a.json'),
      `${JSON.stringify({ ...fields, event_type: 'daily.data.steps.created', user_id: 'a', data: {} })}\n`,
    );
    writeFileSync(at('b.json'), `${JSON.stringify({ ...fields, user_id: 'b', name: 'exporter' })}\n`);
    writeFileSync(at('c.json'), `${JSON.stringify({ user_id: 'c', crc32: '00000000' })}\n`);
    writeFileSync(at('c2.json'), '[{"k":"DUCK@","user_id":"c2","event_type":"daily.data.steps.created","data":{}}]');
    await mkdir(at('d'));
    writeFileSync(at('d', 'format.json'), event('d1'));
    writeFileSync(at('d', 'lock'), event('d2'));
    await mkdir(at('e', 'format.json'), { recursive: true });
    writeFileSync(at('e', 'format.json', 'x'), event('e'));
    expect(await read()).toEqual({ users: ['a', 'b', 'c', 'c2', 'd1', 'd2', 'e'], errors: [] });
  });
});
