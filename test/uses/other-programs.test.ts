import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { privacyOptions, type Warehouse } from '@aorta/connectors';
import { duckDbOptions } from '@aorta/connectors/duckdb';
import { openDuckDbReader, openDuckDbWarehouse } from '@aorta/connectors/duckdb/module';
import { isAortaError } from '@aorta/runtime';
import { readEvent, type StreamRecords } from '@aorta/schemas';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ForeignProgram, obeying } from '../../connectors/duckdb/foreign-program.fixture.ts';
import { DUCKDB_VERSIONS, duckdbPython, noDuckdbPython } from './duckdb-python.ts';

/**
 * What other programs do to the published copy, with the DuckDB of Python in each supported version. The loader always
 * goes on, and a reader gets the published rows or an error that names the cause.
 */

const PUBLICATIONS = 100;

let folder: string;
let path: string;
let copy: string;
let warehouse: Warehouse;
let landed: number;

async function open(more: Record<string, unknown> = {}): Promise<void> {
  const settings = duckDbOptions.parse({ type: 'duckdb', path, ...more });
  warehouse = await openDuckDbWarehouse({ ...settings, privacy: privacyOptions.parse({}) });
}

/** Lands and merges one activity, and publishes a copy with `landed` activities. */
async function publish(): Promise<void> {
  await warehouse.land({ stream: 'activity', incarnation: 'i', from: landed, to: landed + 1, records: [activity(landed)] });
  landed += 1;
  await warehouse.merge('all');
  await warehouse.publish('now');
}

function activity(index: number): StreamRecords['activity'] {
  const data = { id: `a-${index}`, calendar_date: '2026-03-28', steps: index, source: { provider: 'oura', type: 'ring' } };
  const receipt = {
    source: 's',
    partition: '0',
    offset: index,
    received_at: Date.UTC(2026, 2, 28) * 1000 + index,
    delivery_id: null,
    header_facts: 0,
    body_bytes: 1,
    body_crc32: index,
    arrived_at: null,
  };
  const reading = readEvent('activity', 'daily.data.activity.created', { user_id: 'u', data }, receipt);
  if (reading.kind !== 'record') throw new Error(reading.reason);
  return reading.record;
}

/** Returns the number of activities in the copy, or the code of the error. */
async function readers(): Promise<unknown> {
  try {
    await using reader = await openDuckDbReader({ path });
    return (await reader.rows()).activity;
  } catch (error) {
    if (isAortaError(error)) return error.code;
    throw error;
  }
}

const count = 'select count(*) from activity';
const adds = 'insert into activity select * replace (uuid()::varchar as id) from activity limit 1';

/** Opens the copy and returns the program with its first line: `opened`, or the error. `as` precedes the command. */
async function started(
  version: string,
  how: readonly string[] = [],
  as: readonly string[] = [],
): Promise<[ForeignProgram, string]> {
  const program = new ForeignProgram([...as, await duckdbPython(version), 'program.py', copy, ...how], import.meta.dirname);
  return [program, await program.line()];
}

/** Opens the copy for writing, as root can although the file is read-only. */
async function writer(version: string): Promise<ForeignProgram> {
  chmodSync(copy, 0o600);
  const [program, said] = await started(version);
  expect(said).toBe('opened');
  return program;
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-'));
  // Other users can enter the parent of the data folder.
  chmodSync(folder, 0o755);
  path = join(folder, 'data', 'warehouse.duckdb');
  copy = join(folder, 'data', 'warehouse.published.duckdb');
  landed = 0;
  await open();
  await publish();
});
afterEach(async () => {
  await warehouse.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf((await noDuckdbPython()) !== undefined).each(DUCKDB_VERSIONS)('a program with DuckDB %s', (version) => {
  test('that writes and is killed changes no later copy', async () => {
    {
      await using program = await writer(version);
      await program.run(adds);
    }
    expect(await readers()).toBe('AORTA-COPY-WAL');
    await publish();
    expect(await readers()).toBe(landed);
    const [program, said] = await started(version, ['read_only']);
    await using _ = program;
    expect([said, await program.run(count)]).toEqual(['opened', String(landed)]);
  });

  test(`that writes after each of ${PUBLICATIONS} publications changes no copy, and one that reads keeps its rows`, async () => {
    const [reading, opened] = await started(version, ['read_only']);
    await using _ = reading;
    expect(opened).toBe('opened');
    await publish();
    await using writing = await writer(version);
    const seen = new Set<unknown>();
    for (let publication = 0; publication < PUBLICATIONS; publication++) {
      await publish();
      expect([await readers(), await reading.run(count)]).toEqual([landed, '1']);
      await writing.run(publication % 3 === 0 ? 'checkpoint' : adds);
      const then = await readers();
      seen.add(then === landed ? 'the published rows' : then);
      if (publication % 11 !== 1) continue;
      // Another reader with this DuckDB refuses the log of another copy. Without a log, it reads the published rows.
      const [other, said] = await started(version, ['read_only']);
      await using __ = other;
      if (then === landed) expect([said, await other.run(count)]).toEqual(['opened', String(landed)]);
      else expect(said).toContain('WAL does not match database file');
    }
    expect([...seen].sort()).toEqual(['AORTA-COPY-WAL', 'the published rows']);
    await publish();
    expect(await readers()).toBe(landed);
    expect(readdirSync(join(folder, 'data')).filter((name) => name.startsWith('warehouse.published.'))).toEqual([
      'warehouse.published.duckdb',
      'warehouse.published.duckdb.json',
    ]);
  });

  test.skipIf(process.getuid?.() !== 0)('is refused to another user, unless a group may read the copy', async () => {
    // The copy belongs to another user, and the program has no right to bypass permissions.
    const OTHER = 65534;
    const give = () => {
      for (const entry of [copy, dirname(copy)]) chownSync(entry, OTHER, -1);
    };
    give();
    const [refused, said] = await started(version, ['read_only'], obeying);
    await using _ = refused;
    expect(said).toContain('Permission denied');
    await warehouse.close();
    await open({ published_group: 0 });
    await publish();
    give();
    const [program, opened] = await started(version, ['read_only'], obeying);
    await using __ = program;
    expect([opened, await program.run(count)]).toEqual(['opened', String(landed)]);
    const [writing, problem] = await started(version, [], obeying);
    await using ___ = writing;
    expect(problem).toContain('Permission denied');
  });
});
