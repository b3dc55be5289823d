import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { link, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAortaError, lockFolder, ownIdentity } from '@aorta/runtime';
import { expect, test } from 'vitest';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { range, temporaryFolder } from '../streams/records.fixture.ts';
import { startTalking, type TalkingProcess } from './child-process.fixture.ts';
import { openLocalLog } from './local-log.ts';

const locking = fileURLToPath(new URL('./folder-lock.process.ts', import.meta.url));

async function startLocking(): Promise<TalkingProcess> {
  const other = startTalking(process.execPath, [locking]);
  expect(await other.line()).toBe('ready');
  return other;
}

/** Returns the content of a lock file that a killed process left behind. */
async function endedLock(): Promise<string> {
  const folder = await temporaryFolder();
  const other = await startLocking();
  other.say(folder);
  expect(await other.line()).toBe('won');
  await other.kill();
  return readFile(join(folder, 'lock'), 'utf8');
}

test('a lock records which process holds it, excludes other processes, and is removed on release', async () => {
  const folder = await temporaryFolder();
  const lock = await lockFolder(folder);
  expect(JSON.parse(await readFile(lock.path, 'utf8'))).toEqual({ id: expect.any(String), ...ownIdentity() });
  expect((await stat(lock.path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['lock']);
  const locked = { code: 'AORTA-DATA-LOCKED', details: { folder, pid: process.pid } };
  await expect(lockFolder(folder)).rejects.toMatchObject(locked);
  await expect(openLocalLog({ folder })).rejects.toMatchObject(locked);
  const other = await startLocking();
  other.say(folder);
  expect(await other.line()).toBe(`AORTA-DATA-LOCKED ${process.pid}`);
  expect(await readdir(folder)).toEqual(['lock']);
  await lock.release();
  await lock.release();
  expect(await readdir(folder)).toEqual([]);
  other.say(folder);
  expect(await other.line()).toBe('won');
  await expect(lockFolder(folder)).rejects.toMatchObject({ details: { pid: other.child.pid } });
  // A second release must not remove a lock that another process now holds.
  await lock.release();
  expect(await readdir(folder)).toEqual(['lock']);
});

/** Returns how many timers the work starts. */
async function timersOf(work: () => Promise<unknown>): Promise<number> {
  const inWork = new AsyncLocalStorage<true>();
  let timers = 0;
  const hook = createHook({
    init: (_, type) => {
      if (type === 'Timeout' && inWork.getStore() === true) timers += 1;
    },
  });
  hook.enable();
  try {
    await inWork.run(true, work);
  } finally {
    hook.disable();
  }
  return timers;
}

test('a lock of a process killed with SIGKILL can be taken over without a pause', async () => {
  const folder = await temporaryFolder();
  const other = await startLocking();
  other.say(folder);
  expect(await other.line()).toBe('won');
  await other.kill();
  expect(await timersOf(() => lockFolder(folder))).toBe(0);
  expect(JSON.parse(await readFile(join(folder, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid });
  expect(await readdir(folder)).toEqual(['lock']);
});

test('a killed process holds no lock even if its parent has not reaped it', async (context) => {
  if (process.platform !== 'linux') context.skip('only proc(5) identifies zombie processes');
  const folder = await temporaryFolder();
  // `sleep` becomes the parent of the locking process and never reaps it.
  const parent = startTalking('sh', [
    '-c',
    `"$0" "$1" <"$2" & exec sleep 600`,
    process.execPath,
    locking,
    await fileSaying(folder),
  ]);
  expect(await parent.line()).toBe('ready');
  expect(await parent.line()).toBe('won');
  const { pid } = JSON.parse(await readFile(join(folder, 'lock'), 'utf8')) as { pid: number };
  process.kill(pid, 'SIGKILL');
  await until(
    'the zombie process',
    () => readFile(`/proc/${pid}/stat`, 'utf8'),
    (stat) => stat.includes(') Z '),
  );
  await (await lockFolder(folder)).release();
});

/** Writes a line to a new file and returns the file's path. */
async function fileSaying(line: string): Promise<string> {
  const path = join(await temporaryFolder(), 'says');
  await writeFile(path, `${line}\n`);
  return path;
}

test('the lock of a process that has ended is void even if a new process has the same pid', async (context) => {
  if (ownIdentity().started === null) context.skip('this system does not report when a process was started');
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'lock'), JSON.stringify({ id: 'x', ...ownIdentity(), started: '1' }));
  await (await lockFolder(folder)).release();
  await writeFile(join(folder, 'lock'), JSON.stringify({ id: 'x', ...ownIdentity() }));
  await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'AORTA-DATA-LOCKED' });
});

test('a lock from before the last boot is void, and the error for a lock held on another host says which file to delete', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'lock');
  if (ownIdentity().boot !== null) {
    await writeFile(path, JSON.stringify({ id: 'x', ...ownIdentity(), boot: 'before' }));
    await (await lockFolder(folder)).release();
  }
  await writeFile(path, JSON.stringify({ id: 'x', ...ownIdentity(), host: `not-${hostname()}`, pid: 4711 }));
  const error = await lockFolder(folder).catch((caught: unknown) => caught);
  expect(error).toMatchObject({
    code: 'AORTA-DATA-LOCKED-ELSEWHERE',
    message: expect.stringContaining(`4711 on host not-${hostname()}`),
  });
  expect(isAortaError(error) && error.remedy).toContain(`delete ${path}`);
  expect(await readdir(folder)).toEqual(['lock']);
});

test('an unreadable lock is void, but locking fails if a newer version of Aorta wrote the lock', async () => {
  const folder = await temporaryFolder();
  for (const text of ['', '{"id":"ab']) {
    await writeFile(join(folder, 'lock'), text);
    await (await lockFolder(folder)).release();
  }
  await writeFile(join(folder, 'lock'), '{"holder":{}}');
  await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'AORTA-DATA-NEWER' });
});

/** States that a crash may leave behind. The lock is free in each of them. */
const leftovers: Record<string, (folder: string, lock: { id: string }) => Promise<void>> = {
  'a lock': async (folder, lock) => writeFile(join(folder, 'lock'), JSON.stringify(lock)),
  'a lock and a successor that ended before it had it': async (folder, lock) => {
    await writeFile(join(folder, 'lock'), JSON.stringify(lock));
    await writeFile(join(folder, `lock.after-${lock.id}`), JSON.stringify({ ...lock, id: 'second' }));
    await link(join(folder, `lock.after-${lock.id}`), join(folder, 'lock.second.draft'));
    await writeFile(join(folder, 'lock.after-second'), JSON.stringify({ ...lock, id: 'third' }));
  },
  'claims on locks that are no more': async (folder, lock) => {
    await writeFile(join(folder, 'lock'), JSON.stringify(lock));
    await writeFile(join(folder, 'lock.after-long-gone'), JSON.stringify({ ...lock, id: 'other' }));
  },
  'an empty lock': (folder) => writeFile(join(folder, 'lock'), ''),
  nothing: async () => {},
};

test('when eight processes race for a free lock, exactly one gets it', async () => {
  const base = await temporaryFolder();
  const ended = JSON.parse(await endedLock()) as { id: string };
  const racers = await Promise.all(range(0, 8).map(startLocking));
  for (let round = 0; round < 40; round += 1) {
    const names = Object.keys(leftovers);
    const name = names[round % names.length]!;
    const folder = join(base, String(round));
    await mkdir(folder);
    await leftovers[name]!(folder, ended);
    for (const racer of racers) racer.say(folder);
    const said = await Promise.all(racers.map((racer) => racer.line()));
    const winner = racers[said.indexOf('won')]!;
    expect([name, said.filter((line) => line === 'won')]).toEqual([name, ['won']]);
    expect(JSON.parse(await readFile(join(folder, 'lock'), 'utf8'))).toMatchObject({ pid: winner.child.pid });
    // The error may name a process that was about to get the lock, but never a process that has ended.
    const pids = new Set(racers.map((racer) => `AORTA-DATA-LOCKED ${racer.child.pid}`));
    for (const line of said) if (line !== 'won') expect(pids).toContain(line);
    expect((await readdir(folder)).filter((file) => !file.endsWith('.draft'))).toEqual(['lock']);
  }
});

test('when eight calls in one process race for a free lock, exactly one gets it', async () => {
  const base = await temporaryFolder();
  const ended = JSON.parse(await endedLock()) as { id: string };
  for (let round = 0; round < 100; round += 1) {
    const folder = join(base, String(round));
    await mkdir(folder);
    await Object.values(leftovers)[round % 5]!(folder, ended);
    const tries = await Promise.allSettled(range(0, 8).map(() => lockFolder(folder)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const attempt of tries)
      if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject({ code: 'AORTA-DATA-LOCKED' });
  }
});
