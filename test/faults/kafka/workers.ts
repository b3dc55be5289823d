import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { KafkaSettings } from '../../../connectors/kafka/source/options.ts';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { aorta } from '../../e2e/command.ts';
import type { Folded } from '../stage/folded.ts';
import { Machine, type Part } from '../stage/machine.ts';
import { GROUP, type Topic } from './topic.ts';
import { TOPIC } from './topic-name.ts';

/** Session timeout in milliseconds, shorter than the default to keep the tests short. */
export const SESSION_MS = 6000;
/** Interval, in milliseconds, at which a worker looks for new partitions. */
export const METADATA_MS = 2000;

/** A warehouse that several machines share. */
export interface SharedWarehouse {
  /** The warehouse's configuration in aorta.yaml. */
  readonly configuration: object;
  /** Returns all tables of the warehouse. */
  readonly held: () => Promise<Folded>;
}

/** The machines that share the partitions of a topic. Each has its own data folder. */
export class Machines {
  readonly #root = mkdtempSync(join(tmpdir(), 'aorta-machines-'));
  readonly #topic: Topic;
  readonly #shared: SharedWarehouse | undefined;
  readonly all: Machine[] = [];

  /** `shared` is the warehouse of all machines. Without it, each machine has its own DuckDB file. */
  constructor(topic: Topic, shared?: SharedWarehouse) {
    this.#topic = topic;
    this.#shared = shared;
  }

  get held(): SharedWarehouse['held'] | undefined {
    return this.#shared?.held;
  }

  /** Adds a machine without starting it. */
  add(part?: Part, settings: Partial<KafkaSettings> = {}): Machine {
    const machine = new Machine(this.folder(part, 'health.duckdb', settings), part);
    this.all.push(machine);
    return machine;
  }

  /** Creates a folder with a configuration, for commands that run outside the test's simulated machines. */
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
      streams: streams === undefined ? undefined : { type: 'kafka', ...access, partitions: streams },
      warehouse,
      health: { port: 0 },
    };
    // JSON is valid YAML.
    writeFileSync(join(folder, 'aorta.yaml'), JSON.stringify(configuration));
    return folder;
  }

  /** Creates the topics of the streams, but no tables. The first process that opens the warehouse creates the tables. */
  async apply(): Promise<void> {
    const place = this.#configured('loading', { type: 'duckdb', path: 'health.duckdb' }, {});
    const { code, stderr } = await aorta(place, ['apply']);
    expect(code, stderr).toBe(0);
  }

  /** Kills all machines at once, and deletes their folders. */
  async remove(): Promise<void> {
    await Promise.all(this.all.map((machine) => machine.lose()));
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** Calls `begin`, and waits until the machine gets partitions as a result. */
export async function untilAssigned(machine: Machine, begin: () => void): Promise<void> {
  const before = machine.said('partition assigned').length;
  begin();
  await until(
    'a machine to get partitions',
    () => machine.said('partition assigned').length,
    (assigned) => assigned > before,
    () => JSON.stringify(machine.lines.slice(-5)),
  );
}
