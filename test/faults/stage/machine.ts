import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { aorta, type Ended } from '../../e2e/command.ts';

/** A line of the log of `aorta run`. */
type LogLine = Readonly<Record<string, unknown>>;

const program = join(import.meta.dirname, '..', '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');

/** What a machine runs of the whole; undefined: all of it. */
export type Part = 'ingestion' | 'loading' | undefined;

/** The answer of `/readyz`. */
export interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly { readonly reason: string; readonly since: string }[];
}

/** One machine: `aorta run` in a folder, as its supervisor and the working process under it. */
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

  /** Starts `aorta run`. */
  start(): void {
    this.run(program, ['run', ...this.#only]);
  }

  /** Starts a program in place of it. */
  protected run(script: string, words: readonly string[]): void {
    const child = spawn(process.execPath, [script, ...words], { cwd: this.folder, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.#supervisor = child;
    // Closed when the working process is gone, too: it has the same output.
    this.#closed = once(child, 'close');
    createInterface(child.stderr!).on('line', (line) => this.lines.push(parsed(line)));
  }

  /** Tells the process something that was started in place of `aorta run`. */
  protected send(message: object): void {
    this.#supervisor!.send(message);
  }

  get #only(): readonly string[] {
    return this.part === undefined ? [] : ['--only', this.part];
  }

  /** Process ids that have an end: the supervisor, and the working process that was started last. */
  get #pids(): number[] {
    const worker = this.said('working process started').at(-1)?.pid;
    return [this.#supervisor?.pid, worker].filter((pid) => typeof pid === 'number');
  }

  said(message: string): LogLine[] {
    return this.lines.filter(({ msg }) => msg === message);
  }

  /** kill -9 of the working process, if one runs at the moment; its supervisor starts another one. */
  killWorker(): void {
    kill(this.#pids.at(-1)!);
  }

  /** The machine stands still, and goes on. */
  freeze(): void {
    for (const pid of this.#pids) process.kill(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of this.#pids) process.kill(pid, 'SIGCONT');
  }

  /** The machine is gone: kill -9 of all its processes at the same moment. */
  async lose(): Promise<void> {
    if (this.#supervisor === undefined) return;
    for (const pid of this.#pids) kill(pid);
    await this.#closed;
    this.#supervisor = undefined;
  }

  /** Ends what runs, in order: with 0. */
  async quit(): Promise<void> {
    const child = this.#supervisor;
    if (child === undefined) return;
    child.kill('SIGTERM');
    await this.#closed;
    this.#supervisor = undefined;
    expect(child.exitCode, JSON.stringify(this.lines.slice(-5))).toBe(0);
  }

  /** Waits until it has so many partitions at least. */
  async owns(partitions: number): Promise<void> {
    while ((await this.positions()).size < partitions) await sleep(100);
  }

  /** Takes what is left into the tables. */
  finish(): Promise<Ended> {
    return aorta(this.folder, ['run', '--once', '--json', ...this.#only]);
  }

  /** What `/readyz` answers; undefined where nobody answers. */
  async readiness(): Promise<Readiness | undefined> {
    const answer = await this.#asked('readyz');
    return answer === undefined ? undefined : (JSON.parse(answer) as Readiness);
  }

  /** What `/metrics` answers; empty where nobody answers. */
  async metrics(): Promise<string> {
    return (await this.#asked('metrics')) ?? '';
  }

  async #asked(page: string): Promise<string | undefined> {
    const port = this.said('health is served').at(-1)?.port;
    if (port === undefined || this.#supervisor === undefined) return undefined;
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/${page}`, { signal: AbortSignal.timeout(2000) });
      return await answer.text();
    } catch {
      return undefined;
    }
  }

  /**
   * The offset that is taken next, by partition of the source, and `jobs STREAM/PARTITION` for what lands, as the working
   * process tells; nothing where it does not answer.
   */
  async positions(): Promise<Map<string, number>> {
    const port = this.said('health is served').at(-1)?.port;
    if (port === undefined || this.#supervisor === undefined) return new Map();
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(500) });
      const text = await answer.text();
      const taken = /^aorta_source_position\{[^}]*partition="([^"]+)"[^}]*\} (\d+)/gm;
      const landed = /^aorta_job_position\{[^}]*stream="([^"]+)"[^}]*\} (\d+)/gm;
      return new Map([
        ...[...text.matchAll(taken)].map(([, partition, position]) => [partition!, Number(position)] as const),
        ...(this.part === 'loading' ? [...text.matchAll(landed)] : []).map(
          ([, stream, position]) => [`jobs ${stream!.includes('/') ? stream : `${stream}/0`}`, Number(position)] as const,
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
    // Ended by itself.
  }
}

function parsed(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { msg: line };
  }
}
