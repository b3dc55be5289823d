import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { inTime, until } from '../../../infra/machine/waiting.fixture.ts';
import { aorta, type Ended } from '../../e2e/command.ts';
import { processState } from './process-state.ts';

type LogLine = Readonly<Record<string, unknown>>;

const program = join(import.meta.dirname, '..', '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');

/** The part of the program that a machine runs. Undefined means all parts. */
export type Part = 'ingestion' | 'loading' | undefined;

/** The response from `/readyz`. */
export interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly { readonly reason: string; readonly since: string }[];
}

/** A simulated machine. It runs `aorta run` in its own folder, with the supervisor and its worker process. */
export class Machine {
  readonly folder: string;
  readonly part: Part;
  readonly lines: LogLine[] = [];
  #supervisor: ChildProcess | undefined;
  #closed: Promise<unknown> = Promise.resolve();

  constructor(folder: string, part?: Part) {
    this.folder = folder;
    this.part = part;
  }

  start(): void {
    this.run(program, ['run', ...this.#only]);
  }

  /** Starts a different program instead of `aorta run`. */
  protected run(script: string, words: readonly string[]): void {
    const child = spawn(process.execPath, [script, ...words], { cwd: this.folder, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.#supervisor = child;
    // The `close` event also waits for the worker process, which writes to the same stderr.
    this.#closed = once(child, 'close');
    createInterface(child.stderr!).on('line', (line) => this.lines.push(parsed(line)));
  }

  /** Sends a message to the program that {@link run} started. */
  protected send(message: object): void {
    this.#supervisor!.send(message);
  }

  get #only(): readonly string[] {
    return this.part === undefined ? [] : ['--only', this.part];
  }

  /** Ids of the running processes: the supervisor, and the most recently started worker process. */
  get #pids(): number[] {
    const worker = this.said('worker process started').at(-1)?.pid;
    return [this.#supervisor?.pid, worker].filter((pid) => typeof pid === 'number');
  }

  said(message: string): LogLine[] {
    return this.lines.filter(({ msg }) => msg === message);
  }

  /** Kills the worker process with SIGKILL. The supervisor restarts it. */
  killWorker(): void {
    kill(this.#pids.at(-1)!);
  }

  /** Suspends all processes of the machine until {@link thaw} is called. */
  freeze(): void {
    for (const pid of this.#pids) process.kill(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of this.#pids) process.kill(pid, 'SIGCONT');
  }

  /** Simulates the loss of the machine: kills all its processes at once. */
  async lose(): Promise<void> {
    if (this.#supervisor === undefined) return;
    for (const pid of this.#pids) kill(pid);
    await this.#end('end after SIGKILL');
  }

  /** Stops the machine with SIGTERM, and expects exit code 0. */
  async quit(): Promise<void> {
    const child = this.#supervisor;
    if (child === undefined) return;
    child.kill('SIGTERM');
    await this.#end('stop');
    expect(child.exitCode, JSON.stringify(this.lines.slice(-5))).toBe(0);
  }

  get #name(): string {
    return `a machine (${this.part ?? 'all parts'})`;
  }

  /** Waits until all processes of the machine have ended. */
  async #end(how: string): Promise<void> {
    const seen = async (): Promise<string> => {
      const readiness = JSON.stringify(await this.readiness()) ?? 'no answer';
      const log = this.lines.slice(-10).map((line) => JSON.stringify(line));
      return [...this.#pids.map(processState), `/readyz: ${readiness}`, 'the last lines of its log:', ...log].join('\n');
    };
    await inTime(`${this.#name} to ${how}`, this.#closed, seen);
    this.#supervisor = undefined;
  }

  /** Waits until the machine owns at least this many partitions. */
  async owns(partitions: number): Promise<void> {
    const owned = async (): Promise<string[]> => [...(await this.positions()).keys()];
    await until(`${this.#name} to own ${partitions} partitions`, owned, (names) => names.length >= partitions);
  }

  /** Runs `aorta run --once`, which loads the remaining data into the tables. */
  finish(): Promise<Ended> {
    return aorta(this.folder, ['run', '--once', '--json', ...this.#only]);
  }

  /** Returns the response from `/readyz`, or undefined if the machine does not answer. */
  async readiness(): Promise<Readiness | undefined> {
    const answer = await this.#asked('readyz');
    return answer === undefined ? undefined : (JSON.parse(answer) as Readiness);
  }

  /** Returns the response from `/metrics`, or an empty string if the machine does not answer. */
  async metrics(): Promise<string> {
    return (await this.#asked('metrics')) ?? '';
  }

  async #asked(page: string): Promise<string | undefined> {
    const port = this.said('health server started').at(-1)?.port;
    if (port === undefined || this.#supervisor === undefined) return undefined;
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/${page}`, { signal: AbortSignal.timeout(2000) });
      return await answer.text();
    } catch {
      return undefined;
    }
  }

  /**
   * Returns the next offset of each source partition. For a loading machine, the map also contains the position of each stream
   * partition, under the key `loading STREAM/PARTITION`. The map is empty if the worker process does not answer.
   */
  async positions(): Promise<Map<string, number>> {
    const port = this.said('health server started').at(-1)?.port;
    if (port === undefined || this.#supervisor === undefined) return new Map();
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(500) });
      const text = await answer.text();
      const taken = /^aorta_source_position\{[^}]*partition="([^"]+)"[^}]*\} (\d+)/gm;
      const landed = /^aorta_stream_position\{[^}]*stream="([^"]+)"[^}]*\} (\d+)/gm;
      return new Map([
        ...[...text.matchAll(taken)].map(([, partition, position]) => [partition!, Number(position)] as const),
        ...(this.part === 'loading' ? [...text.matchAll(landed)] : []).map(
          ([, stream, position]) => [`loading ${stream}`, Number(position)] as const,
        ),
      ]);
    } catch {
      return new Map();
    }
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

function parsed(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { msg: line };
  }
}
