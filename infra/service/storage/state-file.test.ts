import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Service } from '../service.ts';
import { Database, StateError } from './database.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-state-'));
  path = join(folder, 'service.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the error of opening a state, which must be a StateError. */
function refusal(open: () => unknown = () => Database.open(path)): StateError {
  try {
    open();
  } catch (error) {
    if (error instanceof StateError) return error;
    throw error;
  }
  throw new Error('the state was opened');
}

/** Changes the file with SQL. Without a state, creates a database. */
function changed(sql: string): void {
  using file = new DatabaseSync(path);
  file.exec(sql);
}

test.each([
  ['a text', () => writeFileSync(path, 'my notes\n'.repeat(1000)), 'is not a SQLite database.'],
  ['a database of another program', () => changed('create table notes (note text)'), 'but not a state of the service.'],
  [
    'a database of another program with the same version',
    () => changed('create table notes (note text); pragma journal_mode = wal; pragma user_version = 5'),
    'but not a state of the service.',
  ],
  ['an empty database with a version', () => changed('pragma user_version = 5'), 'but not a state of the service.'],
  [
    'a state of an earlier format',
    () => {
      Database.open(path).close();
      changed('pragma user_version = 1');
    },
    'has format 1, and this version of the service reads',
  ],
  [
    'a damaged state',
    () => {
      Database.open(path).close();
      writeFileSync(path, readFileSync(path).fill(7, 100, 4000));
    },
    'cannot be opened (database disk image is malformed).',
  ],
])('%s is refused with what to do, and stays as it is', (_, make, message) => {
  make();
  const before = readFileSync(path);
  const { message: said, remedy, option } = refusal();
  expect(said.startsWith(`${path} `) && said.includes(message), said).toBe(true);
  expect(remedy).toMatch(/^(Move it away|Delete it|Check the permissions)/);
  expect(option).toBeUndefined();
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('a folder in place of the file is refused', () => {
  mkdirSync(path);
  expect(refusal().message).toBe(`${path} is not a file.`);
});

/** Returns the modes of the files in a folder and of the folder itself, by name. */
const modes = (at: string): Record<string, number> =>
  Object.fromEntries(['.', ...readdirSync(at)].map((name) => [name, statSync(join(at, name)).mode & 0o777]));

test('only the owner can read a new state, its log, its key and its snapshots', async () => {
  const service = new Service({ path, runs: false });
  service.teams.create('first');
  await service.snapshots.save('one');
  await service.snapshots.save('one');
  expect(modes(folder)).toEqual({
    '.': 0o700,
    'service.sqlite': 0o600,
    'service.sqlite-wal': 0o600,
    'service.sqlite-shm': 0o600,
    'service.sqlite.key': 0o600,
    'service.sqlite.snapshots': 0o700,
  });
  expect(modes(`${path}.snapshots`)).toEqual({ '.': 0o700, 'one.snapshot': 0o600 });
  expect(await service.snapshots.restore('one')).toBe(true);
  await service.close();
  expect(new Set(Object.values({ ...modes(folder), '.': 0o600, 'service.sqlite.snapshots': 0o600 }))).toEqual(new Set([0o600]));
});

test('SQLite finds a file that only the owner can read when it begins to write a snapshot', async () => {
  const service = new Service({ path, runs: false });
  const found: number[] = [];
  const run = Database.prototype.run;
  const spy = vi.spyOn(Database.prototype, 'run').mockImplementation(function (this: Database, sql, ...values) {
    if (sql.startsWith('vacuum')) found.push(statSync(String(values[0])).mode & 0o777);
    return run.call(this, sql, ...values);
  });
  await service.snapshots.save('one');
  spy.mockRestore();
  await service.close();
  expect(found).toEqual([0o600]);
});

test('a state that others can read becomes private when it is opened', async () => {
  const first = new Service({ path, runs: false });
  await first.snapshots.save('one');
  // A process that is killed leaves its log.
  const log = join(folder, 'log');
  copyFileSync(`${path}-wal`, log);
  await first.close();
  copyFileSync(log, `${path}-wal`);
  rmSync(log);
  chmodSync(path, 0o644);
  chmodSync(`${path}-wal`, 0o664);
  chmodSync(`${path}.snapshots`, 0o755);
  chmodSync(`${path}.snapshots/one.snapshot`, 0o644);
  const service = new Service({ path, runs: false });
  expect(modes(`${path}.snapshots`)).toEqual({ '.': 0o700, 'one.snapshot': 0o600 });
  expect(modes(folder)).toMatchObject({
    'service.sqlite': 0o600,
    'service.sqlite-wal': 0o600,
    'service.sqlite.snapshots': 0o700,
  });
  await service.close();
});

test('a state without write permission is refused', () => {
  Database.open(path).close();
  chmodSync(folder, 0o755);
  chmodSync(path, 0o444);
  // Root can write anywhere, and tests in containers often run as root, so the test briefly switches to the user `nobody`.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    expect(refusal().message).toMatch(/^\S+ cannot be opened \(.+\)\.$/);
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

/** Leaves what is on the disk when a process is killed in the first transaction of a file. */
function interrupted(): void {
  const original = join(folder, 'original');
  using file = new DatabaseSync(original);
  file.exec('pragma cache_size = 1; begin; create table notes (note text)');
  file.exec(
    'insert into notes with recursive n(i) as (select 1 union all select i + 1 from n limit 50) select hex(zeroblob(4000)) from n',
  );
  copyFileSync(original, path);
  copyFileSync(`${original}-journal`, `${path}-journal`);
}

test.each([
  ['a file whose creation was interrupted', interrupted],
  ['an empty file', () => writeFileSync(path, '')],
  ['an empty database', () => changed('pragma journal_mode = wal')],
])('%s becomes a state', (_, make) => {
  make();
  const database = Database.open(path);
  expect(database.all('select * from teams')).toEqual([]);
  database.close();
});

const DAY = 86_400_000;
const START = Date.UTC(2025, 4, 8);

/** Creates a state, lets `change` change it, and closes it. */
async function created(options: ConstructorParameters<typeof Service>[0], change = (_: Service) => {}): Promise<void> {
  const service = new Service({ path, ...options });
  change(service);
  await service.close();
}

test.each([
  ['the same options', { seed: 7, start: START, runs: false }],
  ['no options', {}],
  ['only the seed', { seed: 7 }],
  ['only the start', { start: START }],
  ['only the stopped clock', { runs: false }],
])('%s are accepted after the clock moved, and change nothing', async (_, options) => {
  await created({ seed: 7, start: START, runs: false }, ({ clock }) => clock.moveTo(START + DAY));
  const again = new Service({ path, ...options });
  expect([again.clock.now(), again.clock.runs]).toEqual([START + DAY, false]);
  await again.close();
});

test.each([
  ['seed', { seed: 8 }, 'The state was created with seed 7, not with seed 8.'],
  [
    'start',
    { start: START + DAY },
    'The clock of the state started at 2025-05-08T00:00:00.000+00:00, not at 2025-05-09T00:00:00.000+00:00.',
  ],
  ['runs', { runs: true }, 'The clock of the state is stopped.'],
] as const)('an option %s that contradicts the state is refused, and the state still opens', async (option, given, message) => {
  await created({ seed: 7, start: START, runs: false }, ({ teams }) => teams.create('first'));
  const error = refusal(() => new Service({ path, seed: 7, start: START, runs: false, ...given }));
  expect(error).toMatchObject({ option, message, remedy: expect.stringContaining('Leave the option out') });
  await created({}, ({ teams }) => expect(teams.list()).toHaveLength(1));
});

test('a state with a random seed refuses any seed', async () => {
  await created({});
  expect(refusal(() => new Service({ path, seed: 1 })).message).toBe(
    'The state was created with a random seed, not with seed 1.',
  );
});

test('a stopped clock is refused while the clock runs, and accepted if it was stopped before', async () => {
  await created({});
  expect(refusal(() => new Service({ path, runs: false }))).toMatchObject({ option: 'runs' });
  await created({}, ({ clock }) => clock.setRunning(false));
  await created({ runs: false }, ({ clock }) => expect(clock.runs).toBe(false));
});

test('the options of the first start are accepted again, whether or not the clock runs now', async () => {
  await created({ runs: false }, ({ clock }) => clock.setRunning(true));
  await created({ runs: false }, ({ clock }) => expect(clock.runs).toBe(true));
});
