import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { AortaError } from '@aorta/runtime';
import type { Access } from './copy-access.ts';
import { unfinishedPath } from './published-copy.ts';

const program = join(import.meta.dirname, 'copy-file.ts');

/** A copy of the checkpointed file, which is complete but not published yet. */
export interface FileCopy {
  readonly path: string;
  /** CRC-32 of the whole copy. */
  readonly crc32: number;
  /** Milliseconds of processor time. */
  readonly cpuMs: number;
}

type Copier = ChildProcessByStdio<Writable, Readable, null>;

/**
 * Copies a database file to a temporary file in the same folder. DuckDB locks the database file with a POSIX record lock. A process
 * loses such a lock when it closes any descriptor of the file, even one opened only for copying. A separate process therefore
 * makes the copies. It stays, because starting it costs more than copying a small file, and ends with this process.
 */
export class FileCopier {
  readonly #path: string;
  readonly #access: Access;
  #copier: { readonly child: Copier; readonly lines: AsyncIterator<string> } | undefined;

  constructor(path: string, access: Access) {
    this.#path = path;
    this.#access = access;
  }

  /** Starts the process, unless it is running. Call it early, so that the process loads its program during other work. */
  start(): void {
    this.#running();
  }

  /** Rejects with AORTA-DATA-UNWRITABLE. */
  async copy(): Promise<FileCopy> {
    // A signal to all processes of a run may end the process while it starts. The second one starts after the signal.
    const told = (await this.#ask()) ?? (await this.#ask()) ?? '';
    const path = unfinishedPath(this.#path);
    const [, crc32, cpuMs] = /^(\d+) ([\d.]+)$/.exec(told) ?? [];
    if (crc32 !== undefined) return { path, crc32: Number(crc32), cpuMs: Number(cpuMs) };
    await rm(path, { force: true });
    throw new AortaError('AORTA-DATA-UNWRITABLE', { path, code: /^E[A-Z]+$/.test(told) ? told : 'copy failed' });
  }

  /** Returns the answer of the process, or undefined if it has ended. */
  async #ask(): Promise<string | undefined> {
    const running = this.#running();
    running.child.stdin.write('\n');
    const { value, done } = await running.lines.next();
    if (done !== true) return value;
    if (this.#copier === running) this.#copier = undefined;
    return undefined;
  }

  close(): void {
    this.#copier?.child.stdin.end();
    this.#copier = undefined;
  }

  #running() {
    if (this.#copier !== undefined) return this.#copier;
    const { mode, group } = this.#access;
    const child = spawn(process.execPath, [program, this.#path, unfinishedPath(this.#path), String(mode), String(group ?? -1)], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, NODE_COMPILE_CACHE: getCompileCacheDir() },
    });
    // A process that could not be started, or has ended, prints nothing.
    for (const part of [child, child.stdin]) part.on('error', () => {});
    // The process must not keep this one alive.
    child.unref();
    this.#copier = { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
    return this.#copier;
  }
}
