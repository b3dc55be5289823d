import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@aorta/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { type Crash, supervise } from './supervisor.ts';

/** Script of a process that reports its start and exits with the code that it receives. */
const obedient = `process.send('there'); process.on('message', (code) => process.exit(code));`;

describe('supervision of processes', () => {
  let workers: ChildProcess[];
  let there: (() => void)[];
  const start = (): ChildProcess => {
    const worker = spawn(process.execPath, ['-e', obedient], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    workers.push(worker);
    worker.once('message', () => there.shift()?.());
    return worker;
  };
  const next = () => new Promise<void>((resolve) => there.push(resolve));
  beforeEach(() => {
    workers = [];
    there = [];
  });
  afterEach(() => {
    for (const worker of workers) worker.kill('SIGKILL');
  });

  test('a killed worker is restarted once `afterCrash` has settled, but a worker that exited normally is not', async () => {
    const crashes: Crash[] = [];
    const signals = new EventEmitter();
    const begun = next();
    const ended = supervise({
      start,
      signals,
      logger: silentLogger,
      afterCrash: async (crash) => {
        crashes.push(crash);
        // The next worker has not started yet.
        expect(workers).toHaveLength(1);
        throw new Error('the store is unreachable');
      },
    });
    await begun;
    const again = next();
    workers[0]!.kill('SIGKILL');
    await again;
    expect(crashes).toEqual([{ pid: workers[0]!.pid, ending: { signal: 'SIGKILL' } }]);
    workers[1]!.send(3);
    expect(await ended).toEqual({ code: 3 });
    expect(workers).toHaveLength(2);
    expect(signals.eventNames()).toEqual([]);
  });

  test('a signal is forwarded to the worker, and supervision ends when the worker ends', async () => {
    const signals = new EventEmitter();
    const begun = next();
    const ended = supervise({ start, signals, logger: silentLogger });
    await begun;
    signals.emit('SIGTERM');
    expect(await ended).toEqual({ signal: 'SIGTERM' });
    expect(workers).toHaveLength(1);
  });

  test('a program that cannot be started is not retried', async () => {
    const absent = () => spawn(join(tmpdir(), 'no-such-program'), { stdio: 'ignore' });
    expect(await supervise({ start: absent, signals: new EventEmitter(), logger: silentLogger })).toEqual({ code: 1 });
  });
});

describe('aorta run', () => {
  const program = join(import.meta.dirname, '..', 'bin', 'aorta.js');
  let folder: string;
  let started: {
    readonly child: ChildProcess;
    lines: string[];
    readonly closed: Promise<unknown>;
  }[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'aorta-supervise-'));
    started = [];
    mkdirSync(join(folder, 'in'));
    writeFileSync(join(folder, 'aorta.yaml'), 'sources: [{ type: files, paths: [in], poll_s: 0.1 }]\nhealth: { port: 0 }\n');
  });
  afterEach(async () => {
    for (const { child, closed } of started) {
      child.kill('SIGKILL');
      // The worker writes to the same output, so the output closes when both processes have ended.
      await closed;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs `aorta` in the folder and collects its log lines. */
  function aorta(words: readonly string[], node: readonly string[] = []) {
    const child = spawn(process.execPath, [...node, program, ...words], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    const run = { child, lines: [] as string[], closed: once(child, 'close') };
    let closed = false;
    child.once('close', () => {
      closed = true;
    });
    const said = (): string => run.lines.join('\n');
    let rest = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      run.lines.push(...lines);
    });
    started.push(run);
    /** Waits for the nth log line with this message and returns the line's fields. */
    const line = async (message: string, ordinal = 0): Promise<Record<string, unknown>> => {
      const look = (): string | undefined => {
        const found = run.lines.filter((one) => one.includes(`"msg":"${message}"`))[ordinal];
        if (found === undefined && closed) throw new Error(`ended without: ${message}\n${said()}`);
        return found;
      };
      return JSON.parse((await until(`the log line '${message}'`, look, Boolean, said))!) as Record<string, unknown>;
    };
    return { ...run, line, said };
  }

  test('a killed worker is restarted at once, and SIGTERM then ends both processes with code 0', async () => {
    const { child, line, closed, said } = aorta(['run']);
    const first = await line('worker process started');
    await line('started');
    process.kill(first.pid as number, 'SIGKILL');
    expect(await line('worker process crashed')).toMatchObject({
      pid: first.pid,
      signal: 'SIGKILL',
      restarts: 1,
      again_in_ms: 0,
    });
    const second = await line('worker process started', 1);
    expect(second.pid).not.toBe(first.pid);
    // The new worker takes over the lock of the killed one.
    await line('started', 1);
    const { port } = await line('health server started', 1);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics.split('\n')).toContain('aorta_restarts_total 1');
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
    expect(said()).not.toContain('AORTA-DATA-LOCKED');
    expect(() => process.kill(second.pid as number, 0)).toThrow('ESRCH');
  });

  test('a worker stops gracefully when its supervisor is killed', async () => {
    const { child, line, closed, said } = aorta(['run']);
    await line('started');
    child.kill('SIGKILL');
    await closed;
    // The worker, which is still running, logs this line.
    await line('stopped');
    expect(said()).toContain('Stopping after the step under way.');
    const after = aorta(['run', '--once']);
    expect(await after.closed).toEqual([0, null]);
  });

  test('an uncaught exception ends the worker, which logs the kind of the exception but not its message', async () => {
    // Throws only in the first worker, as soon as it listens for uncaught exceptions.
    const fault = `if (process.env.AORTA_RESTARTS === '0') process.once('newListener', (name) => {
      if (name === 'uncaughtException') setImmediate(() => { throw new TypeError('planted 98.6'); });
    });`;
    const { child, line, closed, said } = aorta(['run'], ['--import', `data:text/javascript,${encodeURIComponent(fault)}`]);
    expect(await line('worker process crashed')).toMatchObject({ exit_code: 70, restarts: 1 });
    await line('started');
    expect(said()).not.toContain('98.6');
    child.kill('SIGINT');
    expect(await closed).toEqual([130, null]);
  });

  test('wrong usage and an unwritable folder are reported once, without a restart', async () => {
    writeFileSync(join(folder, 'aorta.yaml'), 'sources: []\n');
    const usage = aorta(['run']);
    expect(await usage.closed).toEqual([2, null]);
    expect(usage.said()).not.toContain('worker process');

    const taken = 'sources: [{ type: files, paths: [in] }]\nstreams: { type: local, folder: /proc/none }\n';
    writeFileSync(join(folder, 'aorta.yaml'), taken);
    const setup = aorta(['run']);
    expect(await setup.closed).toEqual([1, null]);
    expect(setup.said().split('AORTA-DATA-UNWRITABLE')).toHaveLength(2);
    expect(setup.said()).not.toContain('crashed');
  });

  test('with --no-supervise, the process runs without a supervisor', async () => {
    const { child, line, closed, said } = aorta(['run', '--no-supervise']);
    await line('started');
    expect(said()).not.toContain('worker process');
    child.kill('SIGKILL');
    expect(await closed).toEqual([null, 'SIGKILL']);
  });
});
