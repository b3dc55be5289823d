import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BALLAST = 'ballast';
const MB = 2 ** 20;

/** A disk of so many megabytes that is really full when it is: a file system in memory. Linux only. */
export class SmallDisk {
  /** Where its files are. */
  readonly folder: string;
  readonly #mount: string;
  /** Keeps the mount, where only a process in a namespace of its own may mount. */
  readonly #holder: ChildProcess | undefined;

  private constructor(mount: string, holder?: ChildProcess) {
    this.#mount = mount;
    this.#holder = holder;
    // What is mounted in another namespace is seen through the process that is in it.
    this.folder = holder === undefined ? mount : join('/proc', String(holder.pid), 'root', mount);
  }

  /** Mounts it; without the right to do so, in a namespace of its own. Rejects if the system allows neither. */
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
      if (String(said[0]).trim() !== 'mounted') throw new Error('this system lets nobody mount a file system in memory');
      return new SmallDisk(mount, holder);
    }
  }

  /** Fills it until the system says that it is full, then leaves so many bytes free again. */
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

  /** Takes out what {@link fill} put in. */
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
