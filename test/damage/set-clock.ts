import { globSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingForPackages, unpackedPackages } from '../../infra/machine/debian-packages.fixture.ts';

/** Returns why this machine cannot run processes with a clock of their own; undefined if it can. */
export function whyNoOwnClock(): string | undefined {
  if (process.platform !== 'linux') return 'libfaketime from a package runs only on Linux';
  const missing = missingForPackages();
  return missing.length === 0 ? undefined : `${missing.join(' and ')} not found`;
}

/**
 * A system clock for processes that are started with its environment. Their monotonic clock stays right, and so do the times of
 * files, as on a machine whose clock is set.
 */
export class OwnClock {
  readonly environment: Readonly<Record<string, string>>;
  readonly #file: string;

  private constructor(file: string, library: string) {
    this.#file = file;
    this.environment = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DISABLE_SHM: '1',
      DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    };
  }

  /** Creates a clock that is right. Its file is in this folder. Downloads libfaketime if it is not in the cache. */
  static async create(folder: string): Promise<OwnClock> {
    const root = await unpackedPackages('libfaketime', ['libfaketime']);
    const [library] = globSync('usr/lib/*/faketime/libfaketimeMT.so.1', { cwd: root });
    if (library === undefined) throw new Error('the package libfaketime has no libfaketimeMT.so.1');
    const clock = new OwnClock(join(folder, 'clock'), join(root, library));
    clock.set('+0');
    return clock;
  }

  /** Sets the clock relative to the right time, such as `-2h`. */
  set(offset: string): void {
    // The processes read the file at any time, so it is never half written.
    writeFileSync(`${this.#file}.part`, `${offset}\n`);
    renameSync(`${this.#file}.part`, this.#file);
  }
}
