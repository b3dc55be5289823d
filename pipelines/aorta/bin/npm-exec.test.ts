import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
// @ts-expect-error the file is plain JavaScript because it must also run on older versions of Node
import { endWithNpm } from './npm-exec.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const byNpm = { npm_command: 'exec', npm_lifecycle_script: 'aorta' };

/** A process with the id 30 and the parent 20, which is a shell of npm 10, or npm itself. */
function processOf(env: NodeJS.ProcessEnv, facts: { readonly shell?: boolean; readonly connected?: boolean } = {}) {
  const { shell = true, connected = false } = facts;
  const parents: Record<number, number> = { 20: 10, 10: 5 };
  const kill = vi.fn();
  const own = Object.assign(new EventEmitter(), { pid: 30, ppid: 20, env, connected, kill });
  const words: Record<number, string> = { 20: shell ? "sh\0-c\0'aorta' tail\0" : 'npm exec aorta tail\0' };
  const read = (path: string): string => {
    const [, pid, file] = /^\/proc\/(\d+)\/(cmdline|stat)$/.exec(path) ?? [];
    if (file === 'cmdline') return words[Number(pid)]!;
    if (parents[Number(pid)] === undefined) throw new Error('ENOENT');
    return `${pid} (a (name) b) S ${parents[Number(pid)]} 1 1 0`;
  };
  endWithNpm(own, read);
  return { own, kill, parents };
}

it.each([['aorta'], ["'aorta'"], ['"aorta"'], ['/app/node_modules/.bin/aorta'], ["'./node_modules/.bin/aorta'"]])(
  'a process that npm started as %s gets SIGTERM when its parent ends',
  (script) => {
    const { own, kill } = processOf({ ...byNpm, npm_lifecycle_script: script });
    vi.advanceTimersByTime(10_000);
    expect(kill).not.toHaveBeenCalled();
    own.ppid = 1;
    vi.advanceTimersByTime(10_000);
    expect(kill).toHaveBeenCalledExactlyOnceWith(30, 'SIGTERM');
  },
);

it('a process gets SIGTERM when npm is killed and its shell goes on', () => {
  const { kill, parents } = processOf(byNpm);
  parents[20] = 1;
  vi.advanceTimersByTime(10_000);
  expect(kill).toHaveBeenCalledExactlyOnceWith(30, 'SIGTERM');
});

it('a process goes on if the parent of npm ends, or if the files of processes cannot be read', () => {
  const { kill, parents } = processOf(byNpm, { shell: false });
  parents[20] = 1;
  const unreadable = processOf(byNpm);
  delete unreadable.parents[20];
  vi.advanceTimersByTime(10_000);
  expect([kill.mock.calls, unreadable.kill.mock.calls]).toEqual([[], []]);
});

it.each<[string, NodeJS.ProcessEnv, boolean]>([
  ['there is no npm', {}, false],
  ['a script of package.json started it', { npm_command: 'run-script', npm_lifecycle_script: 'aorta dev webhook' }, false],
  ['npm started another program, which started it', { npm_command: 'exec', npm_lifecycle_script: "'vitest'" }, false],
  ['npm started a shell that started it', { npm_command: 'exec', npm_lifecycle_script: 'aorta dev webhook &' }, false],
  ['its parent passes signals on', byNpm, true],
])('a process goes on after its parent if %s', (_, env, connected) => {
  const { own, kill } = processOf(env, { connected });
  own.ppid = 1;
  vi.advanceTimersByTime(10_000);
  expect([kill.mock.calls, own.eventNames()]).toEqual([[], []]);
});

it.each(['SIGINT', 'SIGTERM'])('the end of npm after %s is not a second signal', (signal) => {
  const { own, kill } = processOf(byNpm);
  own.on(signal, () => {});
  own.emit(signal);
  own.ppid = 1;
  vi.advanceTimersByTime(10_000);
  expect(kill).not.toHaveBeenCalled();
});

it.each(['SIGINT', 'SIGTERM'])('%s ends a command that does not listen for it', (signal) => {
  const { own, kill } = processOf(byNpm);
  own.emit(signal);
  expect(kill).toHaveBeenCalledExactlyOnceWith(30, signal);
  expect(own.listenerCount(signal)).toBe(0);
});
