import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { KafkaSettings } from '../../../connectors/sources/kafka/options.ts';
import { aorta } from '../../e2e/command.ts';
import type { Folded } from '../stage/folded.ts';
import { Machine, type Part } from '../stage/machine.ts';
import { GROUP, type Topic } from './topic.ts';
import { TOPIC } from './topic-name.ts';

/** A process that was not heard of for so long loses its partitions, in milliseconds: less than by default, to wait less. */
export const SESSION_MS = 6000;
/** So often partitions that are new are looked for. */
export const METADATA_MS = 2000;

/** One warehouse that several machines land in. */
export interface SharedWarehouse {
  /** As it stands in aorta.yaml. */
  readonly configuration: object;
  /** Everything that it holds. */
  readonly held: () => Promise<Folded>;
}

/** The machines that share the partitions of a topic: each has a data folder of its own. */
export class Machines {
  readonly #root = mkdtempSync(join(tmpdir(), 'aorta-machines-'));
  readonly #topic: Topic;
  readonly #shared: SharedWarehouse | undefined;
  readonly all: Machine[] = [];

  /** `shared`: the warehouse that all of them land in; else each has a DuckDB of its own. */
  constructor(topic: Topic, shared?: SharedWarehouse) {
    this.#topic = topic;
    this.#shared = shared;
  }

  get held(): SharedWarehouse['held'] | undefined {
    return this.#shared?.held;
  }

  /** A new machine, on which nothing runs yet. */
  add(part?: Part, settings: Partial<KafkaSettings> = {}): Machine {
    const machine = new Machine(this.folder(part, 'health.duckdb', settings), part);
    this.all.push(machine);
    return machine;
  }

  /** A folder with a configuration, for what is no machine. */
  folder(part: Part, warehouse: string, settings: Partial<KafkaSettings> = {}): string {
    return this.#configured(part, this.#shared?.configuration ?? { type: 'duckdb', path: warehouse }, settings);
  }

  #configured(part: Part, warehouse: object, settings: Partial<KafkaSettings>): string {
    const folder = mkdtempSync(join(this.#root, 'machine-'));
    mkdirSync(folder, { recursive: true });
    const { access, streams } = this.#topic;
    const source = {
      type: 'kafka',
      ...access,
      topics: [TOPIC],
      consumer_group: GROUP,
      session_s: SESSION_MS / 1000,
      metadata_s: METADATA_MS / 1000,
      ...settings,
    };
    const configuration = {
      sources: part === 'loading' ? [] : [source],
      ...(streams === undefined ? {} : { streams: { type: 'kafka', ...access, partitions: streams } }),
      warehouse,
      health: { port: 0 },
    };
    // YAML reads JSON.
    writeFileSync(join(folder, 'aorta.yaml'), JSON.stringify(configuration));
    return folder;
  }

  /** Makes the topics of the streams, and nothing in a warehouse: that is made by whoever opens it first. */
  async apply(): Promise<void> {
    const place = this.#configured('loading', { type: 'duckdb', path: 'health.duckdb' }, {});
    const { code, stderr } = await aorta(place, ['apply']);
    expect(code, stderr).toBe(0);
  }

  /** Ends everything at once. */
  async remove(): Promise<void> {
    await Promise.all(this.all.map((machine) => machine.lose()));
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** Lets something begin, and waits until the machine is given partitions by it. */
export async function assignedAnew(machine: Machine, begin: () => void): Promise<void> {
  const before = machine.said('partition assigned').length;
  begin();
  while (machine.said('partition assigned').length === before) await sleep(50);
}
