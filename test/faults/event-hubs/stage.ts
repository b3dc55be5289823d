import { type Random, randomOf } from '@aorta/people';
import { expect } from 'vitest';
import { modelTables } from '../../model/model.ts';
import { ordered } from '../../model/printed.ts';
import { folded } from './folded.ts';
import { Hubs } from './hubs.ts';
import { logOfHub } from './log-of-hub.ts';
import { Crowd, Pulse } from './producing.ts';
import { isTooLong, type Silence, type Silences } from './report.ts';
import { Watch } from './silence.ts';
import { Machines } from './workers.ts';

/** Nothing takes longer, in milliseconds: a partition that is not read by then stands still. */
const PATIENCE_MS = 120_000;
/** Offsets of the redelivery window, as `aorta run` has it by default. */
const WINDOW = 20_000;

/** A hub, machines that read it, people who write to it, and faults in between: the ground of every case. */
export class Stage {
  readonly hubs: Hubs;
  readonly machines: Machines;
  readonly crowd: Crowd;
  readonly random: Random;
  readonly watch: Watch;
  readonly #pulse: Pulse;
  readonly #silences: Silences;
  readonly #seed: number;
  readonly #tooLong: Silence[] = [];

  private constructor(hubs: Hubs, seed: number, silences: Silences) {
    this.hubs = hubs;
    this.machines = new Machines(hubs);
    this.crowd = new Crowd(hubs, seed);
    this.random = randomOf(seed);
    this.watch = new Watch(this.machines, hubs.names);
    this.#pulse = new Pulse(hubs);
    this.#silences = silences;
    this.#seed = seed;
  }

  /** Plays a case, and shows in the end that every event is in the tables, once and as the model has it. */
  static async play(
    options: { readonly seed: number; readonly partitions: number; readonly silences: Silences },
    act: (stage: Stage) => Promise<void>,
  ): Promise<void> {
    const stage = new Stage(await Hubs.start(options.partitions), options.seed, options.silences);
    try {
      await act(stage);
      await stage.#judge();
      expect(stage.#tooLong, 'silences beyond what is allowed').toEqual([]);
    } finally {
      await stage.#end();
    }
  }

  /** Waits until every partition was read beyond everything that it holds now, and a little of what comes. */
  async reached(): Promise<void> {
    const ends = await this.hubs.ends();
    await this.watch.passed(new Map([...ends].map(([name, end]) => [name, end + 2])), PATIENCE_MS);
  }

  /**
   * Lets a fault happen while people write, waits until all partitions are read again, and notes the longest silence.
   * `happens` gives the milliseconds that were the fault itself, if it lasted.
   */
  async fault(named: string, beyondMs: number, happens: () => Promise<number | undefined>): Promise<void> {
    await this.crowd.publish(40);
    await this.reached();
    const moment = performance.now();
    const lastedMs = (await happens()) ?? 0;
    const published = this.crowd.publish(40);
    await this.reached();
    const silentMs = this.watch.longestSince(moment);
    await published;
    const silence = { fault: named, seed: this.#seed, silentMs, lastedMs, beyondMs };
    this.#silences.note(silence);
    if (isTooLong(silence)) this.#tooLong.push(silence);
  }

  /** Somewhere between two moments, in milliseconds. */
  async moment(from: number, to: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.random.between(from, to)));
  }

  async #judge(): Promise<void> {
    await this.#pulse.stop();
    await this.watch.passed(await this.hubs.ends(), PATIENCE_MS);
    await this.watch.stop();
    const { all } = this.machines;
    for (const machine of all) await machine.quit();
    for (const machine of all) {
      const { code, stderr } = await machine.finish();
      expect(code, stderr).toBe(0);
    }
    const { deliveries, poison } = await logOfHub(this.hubs);
    expect(deliveries.length + poison.length).toBeGreaterThan(this.crowd.published);
    const { tables, twice } = await folded(all);
    const isPoison = ({ dead_letter_reason: reason }: Record<string, unknown>): boolean => reason !== null;
    const receipts = tables.deliveries!;
    // Receipts in are records out: every event of the log has its one receipt, and poison alone is a dead letter.
    expect(receipts).toHaveLength(deliveries.length + poison.length);
    expect(places(receipts.filter(isPoison).map((row) => [row.source_partition, row.source_offset]))).toEqual(
      places(poison.map(({ partition, offset }) => [partition, offset])),
    );
    const told = { ...tables, deliveries: receipts.filter((row) => !isPoison(row)) };
    expect(ordered(told)).toEqual(ordered(modelTables(deliveries, { window: WINDOW })));
    this.#silences.judged({ seed: this.#seed, events: receipts.length, twice });
  }

  async #end(): Promise<void> {
    await this.#pulse.stop();
    await this.watch.stop();
    await this.machines.remove();
    await this.hubs.remove();
  }
}

function places(list: readonly (readonly unknown[])[]): string[] {
  return list.map((place) => place.join(' ')).sort();
}
