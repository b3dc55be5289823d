import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheFolder } from '@aorta/machine';
import type { Java } from './java.ts';

let counter = 0;

/**
 * Classes as the broker loads them, in one file that Java maps into memory: half of the time to start. Java writes it when
 * a broker ends in order, so the first one that does leaves it for all that follow.
 */
export class ClassArchive {
  readonly file: string;
  readonly #making: string;

  constructor(java: Java) {
    this.file = join(cacheFolder(), `kafka-classes-${java.key}.jsa`);
    this.#making = `${this.file}.making-${process.pid}-${counter++}`;
  }

  /** What Java is told at the start of a broker. */
  async option(): Promise<string> {
    await mkdir(dirname(this.file), { recursive: true });
    return existsSync(this.file) ? `-XX:SharedArchiveFile=${this.file}` : `-XX:ArchiveClassesAtExit=${this.#making}`;
  }

  /** The broker has ended in order: what it wrote, if it did, is the archive from now on. */
  async keep(): Promise<void> {
    if (existsSync(this.#making)) await rename(this.#making, this.file);
  }

  /** The broker was killed: a part of an archive is none. */
  async drop(): Promise<void> {
    await rm(this.#making, { force: true });
  }
}
