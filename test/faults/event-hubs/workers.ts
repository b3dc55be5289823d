import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventHubsSettings } from '@aorta/consumers';
import { expect } from 'vitest';
import { aorta, type Ended } from '../../e2e/command.ts';
import type { Hubs } from './hubs.ts';
import { HUB } from './hubs.ts';

/** A line of the log of `aorta run`. */
type LogLine = Readonly<Record<string, unknown>>;

const program = join(import.meta.dirname, '..', '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');
const odd = join(import.meta.dirname, 'worker.process.ts');

/** The machines that share the partitions of a hub: each has a data folder of its own, all have the same checkpoints. */
export class Machines {
  readonly #root = mkdtempSync(join(tmpdir(), 'aorta-machines-'));
  readonly #hubs: Hubs;
  readonly all: Machine[] = [];

  constructor(hubs: Hubs) {
    this.#hubs = hubs;
  }

  /** A new machine, on which nothing runs yet. */
  add(settings: Partial<EventHubsSettings> = {}): Machine {
    const folder = join(this.#root, `machine-${this.all.length}`);
    mkdirSync(folder);
    const source = {
      type: 'event-hubs',
      connection: this.#hubs.connectionString,
      hubs: [HUB],
      checkpoints: { type: 'file', folder: join(this.#root, 'checkpoints') },
      ...settings,
    };
    // YAML reads JSON.
    const configuration = { sources: [source], warehouse: { type: 'duckdb', path: 'health.duckdb' }, health: { port: 0 } };
    writeFileSync(join(folder, 'aorta.yaml'), JSON.stringify(configuration));
    const machine = new Machine(folder);
    this.all.push(machine);
    return machine;
  }

  /** Folder of the checkpoints that all have. */
  get checkpoints(): string {
    return join(this.#root, 'checkpoints');
  }

  /** Ends everything at once. */
  async remove(): Promise<void> {
    await Promise.all(this.all.map((machine) => machine.lose()));
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** One machine: `aorta run` in a folder, as its supervisor and the working process under it. */
export class Machine {
  readonly folder: string;
  readonly lines: LogLine[] = [];
  #supervisor: ChildProcess | undefined;
  #closed: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Starts `aorta run`. */
  start(): void {
    this.#run(program, ['run']);
  }

  /** Starts the same pipeline with a source that can be told to be slow, or to have no checkpoint store: `worker.process.ts`. */
  startOdd(worker: string, slowMs = 0): void {
    this.#run(odd, [worker, String(slowMs)]);
  }

  #run(script: string, words: readonly string[]): void {
    const child = spawn(process.execPath, [script, ...words], { cwd: this.folder, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.#supervisor = child;
    // Closed when the working process is gone, too: it has the same output.
    this.#closed = once(child, 'close');
    createInterface(child.stderr!).on('line', (line) => this.lines.push(parsed(line)));
  }

  /** Tells the process of `startOdd` how its checkpoint store is from now on. */
  tell(message: object): void {
    this.#supervisor!.send(message);
  }

  /** Process ids that have an end: the supervisor, and the working process that was started last. */
  get #pids(): number[] {
    const worker = this.said('working process started').at(-1)?.pid;
    return [this.#supervisor?.pid, worker].filter((pid) => typeof pid === 'number');
  }

  said(message: string): LogLine[] {
    return this.lines.filter(({ msg }) => msg === message);
  }

  /** kill -9 of the working process; its supervisor starts another one. */
  killWorker(): void {
    process.kill(this.#pids.at(-1)!, 'SIGKILL');
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
    for (const pid of this.#pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Ended by itself.
      }
    }
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
    return aorta(this.folder, ['run', '--once', '--json']);
  }

  /** The offset that is taken next, by partition, as the working process tells; nothing where it does not answer. */
  async positions(): Promise<Map<string, number>> {
    const port = this.said('health is served').at(-1)?.port;
    if (port === undefined || this.#supervisor === undefined) return new Map();
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(500) });
      const text = await answer.text();
      const pattern = /^aorta_source_position\{[^}]*partition="([^"]+)"[^}]*\} (\d+)/gm;
      return new Map([...text.matchAll(pattern)].map(([, partition, position]) => [partition!, Number(position)]));
    } catch {
      return new Map();
    }
  }
}

function parsed(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { msg: line };
  }
}
