import { readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type LogFields, type Step, writeDurably } from '@aorta/runtime';
import { createMetrics } from '@aorta/runtime/prometheus';
import { codecOf, type StreamRecords } from '@aorta/schemas';
import avsc from 'avsc';
import { expect, test } from 'vitest';
import { diskOperations, type FileOperations } from '../../infra/runtime/files/file-operations.ts';
import { inUse, NotEncodable, partitionOf } from '../stream-log.ts';
import { streamMetrics } from '../streams/metrics.ts';
import { numbered, numbersOf, range, readAll, segmentsOf, temporaryFolder } from '../streams/records.fixture.ts';
import { openLocalLog, openLocalLogOn } from './local-log.ts';
import { localMetrics } from './metrics.ts';
import { segmentOf } from './segment.fixture.ts';

const plenty = { records: 1_000_000, bytes: 1e9 };

test('flushed records are read back unchanged', async () => {
  const folder = await temporaryFolder();
  const log = await openLocalLog({ folder });
  const records = range(0, 50).map((number) => numbered(number, number * 10));
  for (const record of records) log.append('unrouted', record);
  expect(log.end(partitionOf('unrouted'))).toBe(0);
  await log.flush();
  expect(await log.read(partitionOf('unrouted'), 0, plenty)).toEqual({
    stream: 'unrouted',
    from: 0,
    to: 50,
    records,
    bytes: records.reduce((sum, record) => sum + codecOf('unrouted').encode(record).length - 10, 0),
  });
  expect(inUse(log)).toEqual([partitionOf('unrouted')]);
  await log.close();
});

test('a record is invisible before the flush and counts as pending until it is durable', async () => {
  const log = await openLocalLog({ folder: await temporaryFolder() });
  log.append('unrouted', numbered(0));
  const bytes = codecOf('unrouted').encode(numbered(0)).length - 10;
  expect(log.pendingBytes()).toBe(bytes);
  expect((await log.read(partitionOf('unrouted'), 0, plenty)).records).toEqual([]);
  const flush = log.flush();
  expect(log.pendingBytes()).toBe(bytes);
  await flush;
  expect(log.pendingBytes()).toBe(0);
  await log.close();
});

test('metrics count records only after they are durable', async () => {
  const folder = await temporaryFolder();
  const metrics = createMetrics({ catalogue: { ...streamMetrics, ...localMetrics } });
  const log = await openLocalLog({ folder, metrics });
  const told = async (): Promise<string[]> =>
    (await metrics.text()).split('\n').filter((line) => /^aorta_stream_(?!flush_seconds_(bucket|sum))/.test(line));
  for (const number of range(0, 3)) log.append('unrouted', numbered(number));
  expect(await told()).toEqual([`aorta_stream_flush_seconds_count 0`, `aorta_stream_pending_bytes ${log.pendingBytes()}`]);
  await log.flush();
  const [segment] = await segmentsOf(folder, 'unrouted');
  const { size } = await stat(segment!);
  const bytes = (await told()).find((line) => line.startsWith('aorta_stream_bytes_total'))!.split(' ')[1];
  expect(Number(bytes)).toBeGreaterThan(3 * (codecOf('unrouted').encode(numbered(0)).length - 10));
  expect(Number(bytes)).toBeLessThan(size);
  expect(await told()).toEqual([
    'aorta_stream_records_total{stream="unrouted"} 3',
    `aorta_stream_bytes_total{stream="unrouted"} ${bytes}`,
    'aorta_stream_flush_seconds_count 1',
    'aorta_stream_pending_bytes 0',
    `aorta_stream_segment_bytes{stream="unrouted"} ${size}`,
    'aorta_stream_end{stream="unrouted"} 3',
  ]);
  await log.close();
  expect((await told()).some((line) => line.startsWith('aorta_stream_end'))).toBe(false);
});

test('positions number the records consecutively across blocks, segments and reopenings', async () => {
  const folder = await temporaryFolder();
  // The header takes more than 4 kB, so each segment holds only a few blocks.
  const options = { folder, blockBytes: 400, segmentBytes: 6000 };
  let number = 0;
  for (let opening = 0; opening < 4; opening += 1) {
    const log = await openLocalLog(options);
    expect(log.end(partitionOf('unrouted'))).toBe(number);
    for (let flush = 0; flush < 5; flush += 1) {
      for (let index = 0; index < 7; index += 1) log.append('unrouted', numbered(number++));
      await log.flush();
    }
    expect(numbersOf(await readAll(log, 'unrouted'))).toEqual(range(0, number));
    await log.close();
  }
  const segments = (await segmentsOf(folder, 'unrouted')).length;
  expect(segments).toBeGreaterThan(3);
  expect(segments).toBeLessThan(30);

  // Seeks to each position in a log that has not read anything yet.
  const log = await openLocalLog(options);
  for (const position of range(0, number).reverse()) {
    const { records, to } = await log.read(partitionOf('unrouted'), position, { records: 2, bytes: 1e9 });
    expect(numbersOf(records)).toEqual(range(position, Math.min(position + 2, number)));
    expect(to).toBe(position + records.length);
  }
  await log.close();
});

test('a read stops as soon as it reaches its record limit or byte limit, but returns at least one record', async () => {
  const log = await openLocalLog({ folder: await temporaryFolder(), blockBytes: 2000 });
  for (const number of range(0, 40)) log.append('unrouted', numbered(number, 500));
  await log.flush();
  const one = (await log.read(partitionOf('unrouted'), 3, { records: 1, bytes: 1e9 })).bytes;
  expect(one).toBeGreaterThan(500);
  expect((await log.read(partitionOf('unrouted'), 3, { records: 9, bytes: 1e9 })).to).toBe(12);
  expect((await log.read(partitionOf('unrouted'), 3, { records: 9, bytes: one + 1 })).to).toBe(5);
  expect((await log.read(partitionOf('unrouted'), 3, { records: 9, bytes: 1 })).to).toBe(4);
  expect((await log.read(partitionOf('unrouted'), 40, plenty)).records).toEqual([]);
  for (const from of [41, -1, 0.5, Number.NaN]) {
    await expect(log.read(partitionOf('unrouted'), from, plenty)).rejects.toMatchObject({ code: 'AORTA-BUG' });
  }
  await log.close();
});

test('concurrent readers of one stream do not affect each other', async () => {
  const log = await openLocalLog({ folder: await temporaryFolder(), blockBytes: 1500, segmentBytes: 20_000 });
  for (const number of range(0, 500)) log.append('unrouted', numbered(number));
  await log.flush();
  const readers = range(1, 9).map((records) => readAll(log, 'unrouted', records));
  for (const read of await Promise.all(readers)) expect(numbersOf(read)).toEqual(range(0, 500));
  await log.close();
});

test('a position can be read again after the reader has moved past it', async () => {
  const log = await openLocalLog({ folder: await temporaryFolder(), blockBytes: 1500 });
  for (const number of range(0, 30)) log.append('unrouted', numbered(number));
  await log.flush();
  for (const from of [0, 3, 3, 6, 3, 6, 9, 6, 0, 3]) {
    expect(numbersOf((await log.read(partitionOf('unrouted'), from, { records: 3, bytes: 1e9 })).records)).toEqual(
      range(from, from + 3),
    );
  }
  await log.close();
});

test('a record larger than a block gets its own block', async () => {
  const log = await openLocalLog({ folder: await temporaryFolder(), blockBytes: 1000 });
  const sizes = [10, 5_000_000, 10, 70_000, 900, 999, 1000, 1001, 0];
  for (const [number, size] of sizes.entries()) log.append('unrouted', numbered(number, size));
  await log.flush();
  expect((await readAll(log, 'unrouted')).map((record) => record.body.length)).toEqual(sizes);
  await log.close();
});

test('if a record does not match the schema, appending it leaves the log unchanged and throws an error that does not quote the record', async () => {
  const log = await openLocalLog({ folder: await temporaryFolder(), blockBytes: 500 });
  const broken = { ...numbered(1), event_type: 'PLANTED', body: 'PLANTED', key: 7 } as unknown as StreamRecords['unrouted'];
  let thrown: unknown;
  log.append('unrouted', numbered(0));
  const before = log.pendingBytes();
  try {
    log.append('unrouted', broken);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(NotEncodable);
  expect(Object.keys(thrown as object)).not.toContain('cause');
  expect(JSON.stringify(thrown) + String((thrown as Error).stack)).not.toContain('PLANTED');
  expect(() => log.append('unrouted', null as never)).toThrow(NotEncodable);
  // The first field that does not match the schema lies beyond the end of the block's buffer.
  expect(() => log.append('unrouted', { ...numbered(1), user_id: 'x'.repeat(600), body: 1 } as never)).toThrow(NotEncodable);
  expect(log.pendingBytes()).toBe(before);
  log.append('unrouted', numbered(2));
  await log.flush();
  expect(numbersOf(await readAll(log, 'unrouted'))).toEqual([0, 2]);
  await log.close();
});

test('flushes run one after another, and a record appended during a flush waits for the next one', async () => {
  const seen: (Step | string)[] = [];
  let duringFlush: (() => void) | undefined;
  const log = await openLocalLog({
    folder: await temporaryFolder(),
    onStep: (step) => {
      seen.push(step);
      if (step === 'append:written') duringFlush?.();
    },
  });
  await log.flush();
  expect(seen).toEqual([]);
  duringFlush = () => {
    duringFlush = undefined;
    log.append('unrouted', numbered(1));
  };
  log.append('unrouted', numbered(0));
  const first = log.flush().then(() => seen.push(`first:${log.end(partitionOf('unrouted'))}`));
  const second = log.flush().then(() => seen.push(`second:${log.end(partitionOf('unrouted'))}`));
  await Promise.all([first, second]);
  const [written, synced, durable] = ['append:written', 'append:synced', 'append:durable'];
  expect(seen).toEqual([written, synced, durable, 'first:1', written, synced, durable, 'second:2']);
  expect(numbersOf(await readAll(log, 'unrouted'))).toEqual([0, 1]);
  await log.close();
});

test('a flush notifies its listeners once, after its records are visible and before `append:durable` is reported', async () => {
  const seen: string[] = [];
  const log = await openLocalLog({ folder: await temporaryFolder(), onStep: (step) => seen.push(step) });
  const end = log.onDurable(() => seen.push(`heard:${log.end(partitionOf('unrouted'))}`));
  await log.flush();
  expect(seen).toEqual([]);
  log.append('unrouted', numbered(0));
  log.append('redelivered', numbered(0));
  await log.flush();
  expect(seen).toEqual(['append:written', 'append:synced', 'heard:1', 'append:durable']);
  end();
  log.append('unrouted', numbered(1));
  await log.flush();
  expect(seen.slice(4)).toEqual(['append:written', 'append:synced', 'append:durable']);
  await log.close();
});

test('a flush syncs the files, and the folder of a new segment, before the records count as durable', async () => {
  const events: string[] = [];
  const folder = await temporaryFolder();
  const watched: FileOperations = {
    openSegment: async (path, flags) => {
      const file = await diskOperations.openSegment(path, flags);
      const stream = path.includes('unrouted') ? 'unrouted' : 'redelivered';
      return {
        write: (...place) => file.write(...place),
        truncate: (length) => file.truncate(length),
        close: () => file.close(),
        [Symbol.asyncDispose]: () => file.close(),
        datasync: async () => {
          await file.datasync();
          events.push(`sync ${stream}`);
        },
      };
    },
    syncFolder: async (path) => {
      await diskOperations.syncFolder(path);
      events.push(`folder ${path.slice(folder.length + 1)}`);
    },
  };
  const log = await openLocalLogOn({ folder, onStep: (step) => events.push(step) }, watched);
  const round = async () => {
    events.length = 0;
    log.append('unrouted', numbered(0));
    log.append('redelivered', numbered(0));
    await log.flush();
    return [events[0], ...events.slice(1, -2).sort(), ...events.slice(-2)];
  };
  const syncs = ['sync redelivered', 'sync unrouted'];
  const ends = ['append:synced', 'append:durable'];
  expect(await round()).toEqual(['append:written', 'folder redelivered', 'folder unrouted', ...syncs, ...ends]);
  expect(await round()).toEqual(['append:written', ...syncs, ...ends]);
  await log.close();
  // The previous process may have ended between a write and its sync, so opening a log syncs the visible blocks.
  events.length = 0;
  await (await openLocalLogOn({ folder }, watched)).close();
  expect(events.sort()).toEqual(['folder redelivered', 'folder unrouted', ...syncs]);
});

test('folders get mode 0700 and files 0600, whatever the umask', async () => {
  const before = process.umask(0);
  try {
    const folder = join(await temporaryFolder(), 'made', 'here');
    const log = await openLocalLog({ folder });
    log.append('unrouted', numbered(0));
    await log.flush();
    await log.commit('job', partitionOf('unrouted'), 1);
    const modes = new Map<string, number>();
    const names = await readdir(folder, { recursive: true });
    for (const name of ['.', '..', ...names]) modes.set(name, (await stat(join(folder, name))).mode);
    await log.close();
    expect(names).toEqual(expect.arrayContaining(['lock', 'format.json', 'unrouted/stream.json', 'unrouted/groups/job.json']));
    for (const [name, mode] of modes) expect([name, mode & 0o777]).toEqual([name, mode & 0o040000 ? 0o700 : 0o600]);
  } finally {
    process.umask(before);
  }
});

test('committed group positions are durable, belong to one incarnation, and never exceed the end of the stream', async () => {
  const folder = await temporaryFolder();
  let log = await openLocalLog({ folder });
  const incarnation = log.incarnation(partitionOf('unrouted'));
  expect(log.incarnation(partitionOf('redelivered'))).not.toBe(incarnation);
  expect(log.committed('job', partitionOf('unrouted'))).toBeUndefined();
  for (const number of range(0, 3)) log.append('unrouted', numbered(number));
  await log.flush();
  await Promise.all([
    log.commit('job', partitionOf('unrouted'), 1),
    log.commit('job', partitionOf('unrouted'), 3),
    log.commit('a-2', partitionOf('unrouted'), 0),
  ]);
  await expect(log.commit('job', partitionOf('unrouted'), 4)).rejects.toMatchObject({ code: 'AORTA-BUG' });
  await expect(log.commit('../job', partitionOf('unrouted'), 0)).rejects.toMatchObject({ code: 'AORTA-BUG' });
  await log.close();

  log = await openLocalLog({ folder });
  expect(log.incarnation(partitionOf('unrouted'))).toBe(incarnation);
  expect(log.groups(partitionOf('unrouted'))).toEqual(['a-2', 'job']);
  expect([log.committed('job', partitionOf('unrouted')), log.committed('a-2', partitionOf('unrouted'))]).toEqual([3, 0]);
  // Committing a lower position rewinds the group.
  await log.commit('job', partitionOf('unrouted'), 1);
  await log.close();

  const file = join(folder, 'unrouted', 'stream.json');
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ incarnation });
  await writeDurably(file, { incarnation: 'another' });
  log = await openLocalLog({ folder });
  expect(log.incarnation(partitionOf('unrouted'))).toBe('another');
  expect([log.committed('job', partitionOf('unrouted')), log.groups(partitionOf('unrouted'))]).toEqual([undefined, []]);
  await log.close();
});

test('committing position 0 of an empty stream makes its incarnation permanent', async () => {
  const folder = await temporaryFolder();
  let log = await openLocalLog({ folder });
  const incarnation = log.incarnation(partitionOf('sleep'));
  await log.commit('job', partitionOf('sleep'), 0);
  await log.close();
  log = await openLocalLog({ folder });
  expect([log.incarnation(partitionOf('sleep')), log.committed('job', partitionOf('sleep')), inUse(log)]).toEqual([
    incarnation,
    0,
    [],
  ]);
  await log.close();
});

test('records of a segment with an older schema are decoded into the current type, and new records go to a new segment', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'unrouted'), { recursive: true });
  await writeDurably(join(folder, 'unrouted', 'stream.json'), { incarnation: 'i' });
  const older = JSON.parse(codecOf('unrouted').schema) as { fields: { name: string }[] };
  older.fields = older.fields.filter((field) => field.name !== 'team_id');
  const type = avsc.Type.forSchema(older as unknown as avsc.Schema, { wrapUnions: 'never' } as never);
  const records = range(0, 10).map((number) => {
    const { team_id: _, ...record } = numbered(number);
    return type.toBuffer(record);
  });
  const path = join(folder, 'unrouted', '00000000000000000000.avro');
  await writeFile(path, segmentOf('unrouted', JSON.stringify(older), records));

  let log = await openLocalLog({ folder });
  expect(await readAll(log, 'unrouted')).toEqual(range(0, 10).map((number) => numbered(number)));
  log.append('unrouted', { ...numbered(10), team_id: 'team' });
  await log.flush();
  await log.close();

  const segments = await segmentsOf(folder, 'unrouted');
  expect(segments.map((segment) => segment.slice(-12))).toEqual(['0000000.avro', '0000010.avro']);
  log = await openLocalLog({ folder });
  log.append('unrouted', numbered(11));
  await log.flush();
  expect(await segmentsOf(folder, 'unrouted')).toEqual(segments);
  const all = await readAll(log, 'unrouted');
  expect(numbersOf(all)).toEqual(range(0, 12));
  expect(all.map((record) => record.team_id).slice(9)).toEqual([null, 'team', null]);
  await log.close();
});

test('a folder with a newer format is refused before anything is written', async () => {
  const folder = await temporaryFolder();
  await writeDurably(join(folder, 'format.json'), { format: 2 });
  const newer = { code: 'AORTA-DATA-NEWER', details: { path: join(folder, 'format.json'), found: 2, known: 1 } };
  await expect(openLocalLog({ folder })).rejects.toMatchObject(newer);
  await expect(openLocalLog({ folder, readOnly: true })).rejects.toMatchObject(newer);
  expect(await readdir(folder)).toEqual(['format.json']);
});

test('a read-only log writes nothing, and refresh() loads the records that another log has flushed', async () => {
  const folder = await temporaryFolder();
  await expect(openLocalLog({ folder: join(folder, 'none'), readOnly: true })).rejects.toMatchObject({
    code: 'AORTA-FILE-NOT-FOUND',
  });
  const writer = await openLocalLog({ folder, blockBytes: 300, segmentBytes: 20_000 });
  const reader = await openLocalLog({ folder, readOnly: true });
  expect([reader.end(partitionOf('unrouted')), inUse(reader), reader.incarnation(partitionOf('unrouted'))]).toEqual([
    0,
    [],
    '00000000-0000-0000-0000-000000000000',
  ]);
  for (let round = 1; round <= 4; round += 1) {
    for (const number of range(round * 20 - 20, round * 20)) writer.append('unrouted', numbered(number));
    await writer.flush();
    await writer.commit('job', partitionOf('unrouted'), round * 10);
    const before = await readdir(folder, { recursive: true });
    await reader.refresh();
    // Reads from where the previous round ended, which is in the middle of a segment.
    expect(numbersOf((await reader.read(partitionOf('unrouted'), round * 20 - 20, plenty)).records)).toEqual(
      range(round * 20 - 20, round * 20),
    );
    expect(numbersOf(await readAll(reader, 'unrouted'))).toEqual(range(0, round * 20));
    expect(reader.committed('job', partitionOf('unrouted'))).toBe(round * 10);
    expect(reader.incarnation(partitionOf('unrouted'))).toBe(writer.incarnation(partitionOf('unrouted')));
    expect((await readdir(folder, { recursive: true })).sort()).toEqual(before.sort());
  }
  // Simulates a writer that has written only a part of a block.
  const last = (await segmentsOf(folder, 'unrouted')).at(-1)!;
  const whole = await readFile(last);
  const begun = Buffer.concat([whole, whole.subarray(-100, -5)]);
  await writeFile(last, begun);
  const beside = await openLocalLog({ folder, readOnly: true });
  expect(numbersOf(await readAll(beside, 'unrouted'))).toEqual(range(0, 80));
  expect(beside.recovered).toEqual([]);
  expect((await readFile(last)).equals(begun)).toBe(true);
  await writeFile(last, whole);

  expect(() => reader.append('unrouted', numbered(0))).toThrow(expect.objectContaining({ code: 'AORTA-BUG' }));
  await expect(reader.flush()).rejects.toMatchObject({ code: 'AORTA-BUG' });
  await expect(reader.commit('job', partitionOf('unrouted'), 0)).rejects.toMatchObject({ code: 'AORTA-BUG' });
  for (const log of [beside, reader, writer]) await log.close();
});

test('close() waits for the running flush, drops unflushed records with a log message, and does nothing if it is called again', async () => {
  const folder = await temporaryFolder();
  const told: [string, LogFields | undefined][] = [];
  const logger = {
    debug() {},
    warn() {},
    error() {},
    info: (event: string, fields?: LogFields) => void told.push([event, fields]),
  };
  const log = await openLocalLog({ folder, logger });
  log.append('unrouted', numbered(0));
  const flush = log.flush();
  log.append('unrouted', numbered(1));
  // Without this wait, `flush` may also write the record that the test expects to be dropped.
  await flush;
  log.append('unrouted', numbered(2));
  const bytes = log.pendingBytes();
  const closed = log.close();
  expect(log.close()).toBe(closed);
  await closed;
  expect(told).toEqual([['unflushed records were dropped', { bytes }]]);
  expect(() => log.append('unrouted', numbered(1))).toThrow(expect.objectContaining({ code: 'AORTA-BUG' }));
  await expect(log.read(partitionOf('unrouted'), 0, plenty)).rejects.toMatchObject({ code: 'AORTA-BUG' });
  expect(await readdir(folder)).not.toContain('lock');

  const again = await openLocalLog({ folder });
  expect(numbersOf(await readAll(again, 'unrouted'))).toEqual([0, 1]);
  again.append('unrouted', numbered(2));
  const running = again.flush();
  await again.close();
  await running;
  const last = await openLocalLog({ folder });
  expect(last.end(partitionOf('unrouted'))).toBe(3);
  await last.close();
});

test('opening a log in a folder without write permission fails with AORTA-DATA-UNWRITABLE', async () => {
  const folder = await temporaryFolder();
  await chmod(folder, 0o555);
  // Root can write anywhere, and tests in containers often run as root, so the test briefly switches to the user `nobody`.
  const root = process.getuid?.() === 0;
  if (root) process.seteuid?.(65_534);
  try {
    await expect(openLocalLog({ folder })).rejects.toMatchObject({ code: 'AORTA-DATA-UNWRITABLE', details: { code: 'EACCES' } });
  } finally {
    if (root) process.seteuid?.(0);
  }
});

test('opening a log at the path of a file fails and leaves the file unchanged', async () => {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, 'x');
  await expect(openLocalLog({ folder: file })).rejects.toMatchObject({ code: 'AORTA-DATA-UNWRITABLE' });
  expect(readFileSync(file, 'utf8')).toBe('x');
});
