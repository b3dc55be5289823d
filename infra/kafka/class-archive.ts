import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheFolder } from '@aorta/machine';
import type { Java } from './java.ts';

let counter = 0;

/**
 * An archive of the classes that a broker loads. Java maps it into memory, which halves the time to start. Java writes it when a
 * broker shuts down in order, so the first such broker creates it for all later ones.
 */
export class ClassArchive {
  readonly file: string;
  readonly #making: string;

  constructor(java: Java) {
    this.file = join(cacheFolder(), `kafka-classes-${java.key}.jsa`);
    this.#making = `${this.file}.making-${process.pid}-${counter++}`;
  }

  /** Returns the Java option that uses the archive, or that writes it if there is none yet. */
  async option(): Promise<string> {
    await mkdir(dirname(this.file), { recursive: true });
    return existsSync(this.file) ? `-XX:SharedArchiveFile=${this.file}` : `-XX:ArchiveClassesAtExit=${this.#making}`;
  }

  /** Publishes the archive that the broker wrote, if any. Call it after an orderly shutdown. */
  async keep(): Promise<void> {
    if (existsSync(this.#making)) await rename(this.#making, this.file);
  }

  /** Removes an incomplete archive. Call it after the broker was killed. */
  async drop(): Promise<void> {
    await rm(this.#making, { force: true });
  }
}
