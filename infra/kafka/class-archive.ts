import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheFolder } from '@aorta/machine';
import type { Java } from './java.ts';

let counter = 0;

/**
 * An archive of the classes that a broker loads. Java maps the archive into memory, which halves the broker's startup
 * time. The first broker that shuts down cleanly writes the archive, and all later brokers use it.
 */
export class ClassArchive {
  readonly file: string;
  readonly #making: string;

  constructor(java: Java) {
    this.file = join(cacheFolder(), `kafka-classes-${java.key}.jsa`);
    this.#making = `${this.file}.making-${process.pid}-${counter++}`;
  }

  /** Returns the Java option that uses the archive, or the option that writes the archive if it does not exist yet. */
  async option(): Promise<string> {
    await mkdir(dirname(this.file), { recursive: true });
    return existsSync(this.file) ? `-XX:SharedArchiveFile=${this.file}` : `-XX:ArchiveClassesAtExit=${this.#making}`;
  }

  /** Publishes the archive that the broker wrote, if any. Call this method after a clean shutdown. */
  async keep(): Promise<void> {
    if (existsSync(this.#making)) await rename(this.#making, this.file);
  }

  /** Removes an incomplete archive. Call this method after killing the broker. */
  async drop(): Promise<void> {
    await rm(this.#making, { force: true });
  }
}
