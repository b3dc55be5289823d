import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BALLAST = 'ballast';
const MB = 2 ** 20;

/** An in-memory file system of fixed size, which a test can fill completely. Linux only. */
export class SmallDisk {
  /** The folder that contains the files of the disk. */
  readonly folder: string;
  readonly #mount: string;
  /** The process that keeps the mount alive in its own namespace, if mounting required a separate namespace. */
  readonly #holder: ChildProcess | undefined;

  private constructor(mount: string, holder?: ChildProcess) {
    this.#mount = mount;
    this.#holder = holder;
    // A mount in another namespace is reachable only through the `/proc` entry of a process in that namespace.
    this.folder = holder === undefined ? mount : join('/proc', String(holder.pid), 'root', mount);
  }

  /** Mounts the disk. If the user is not allowed to mount, tries again in a separate namespace. Rejects if that also fails. */
  static async make(megabytes: number): Promise<SmallDisk> {
    const mount = mkdtempSync(join(tmpdir(), 'aorta-disk-'));
    const words = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', mount];
    try {
      execFileSync('mount', words, { stdio: 'ignore' });
      return new SmallDisk(mount);
    } catch {
      const script = `mount ${words.join(' ')} && echo mounted && exec cat`;
      const holder = spawn('unshare', ['--map-root-user', '--mount', 'sh', '-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
      const said = await Promise.race([once(holder.stdout!, 'data'), once(holder, 'exit').then(() => [''])]);
      if (String(said[0]).trim() !== 'mounted')
        throw new Error('this system does not allow this user to mount a file system in memory');
      return new SmallDisk(mount, holder);
    }
  }

  /** Fills the disk until the system reports ENOSPC, then frees `leaveFree` bytes. */
  fill(leaveFree = 0): void {
    const file = openSync(join(this.folder, BALLAST), 'w');
    let written = 0;
    try {
      for (const block of [Buffer.alloc(MB), Buffer.alloc(4096)]) {
        try {
          for (;;) written += writeSync(file, block);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
    } finally {
      closeSync(file);
    }
    execFileSync('truncate', ['-s', String(Math.max(0, written - leaveFree)), join(this.folder, BALLAST)]);
  }

  /** Deletes the file that {@link fill} wrote. */
  makeRoom(): void {
    rmSync(join(this.folder, BALLAST), { force: true });
  }

  async remove(): Promise<void> {
    if (this.#holder === undefined) execFileSync('umount', ['--lazy', this.#mount]);
    else {
      const ended = once(this.#holder, 'exit');
      this.#holder.stdin!.end();
      await ended;
    }
    rmSync(this.#mount, { recursive: true, force: true });
  }
}
