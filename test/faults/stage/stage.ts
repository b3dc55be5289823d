import { type Random, randomOf } from '@aorta/people';
import { expect } from 'vitest';
import type { TestDelivery } from '../../model/delivery.ts';
import { modelTables } from '../../model/model.ts';
import { ordered } from '../../model/printed.ts';
import { Bystander, slowness } from './bystander.ts';
import { type Folded, folded } from './folded.ts';
import { type Goal, patienceMs } from './goal.ts';
import type { Machine } from './machine.ts';
import { isTooLong, type Silence, type Silences } from './report.ts';
import { Watch } from './silence.ts';

/** Where no goal is measured, a partition that is not read by then stands still. */
const PATIENCE_MS = 120_000;
/** Offsets of the redelivery window, as `aorta run` has it by default. */
const WINDOW = 20_000;

/** An event of the log whose body is no event of the service. */
export interface Poison {
  readonly partition: string;
  readonly offset: number;
}

/** What is read: a broker that may be gone for a while and come back with what it held. */
export interface Ground {
  /** Partitions that always move, as machines name them in their metrics. */
  readonly names: readonly string[];
  /** The offset after the last event, by the same names. */
  ends(): Promise<ReadonlyMap<string, number>>;
  /** Everything it holds, read by a client without any of our code. */
  content(): Promise<{ readonly deliveries: readonly TestDelivery[]; readonly poison: readonly Poison[] }>;
  remove(): Promise<void>;
}

/** Who reads, and who writes. */
export interface Players {
  readonly machines: {
    readonly all: readonly Machine[];
    /** What the one warehouse holds that all of them land in; absent where each has its own. */
    readonly held?: (() => Promise<Folded>) | undefined;
    remove(): Promise<void>;
  };
  readonly crowd: { readonly published: number; publish(count: number): Promise<void> };
  /** Writes something into every partition all the time. */
  readonly pulse: { stop(): Promise<void> };
}

export interface StageOptions {
  readonly seed: number;
  readonly partitions: number;
  readonly silences: Silences;
}

/** A broker, machines that read it, people who write to it, and faults in between: the ground of every case. */
export abstract class Stage {
  readonly random: Random;
  readonly watch: Watch;
  readonly #ground: Ground;
  readonly #players: Players;
  readonly #silences: Silences;
  readonly #seed: number;
  readonly #heard: Silence[] = [];
  #slowness = 1;
  #bystander: Bystander | undefined;
  #alone = false;

  protected constructor(ground: Ground, players: Players, { seed, silences }: StageOptions) {
    this.#ground = ground;
    this.#players = players;
    this.random = randomOf(seed);
    this.watch = new Watch(players.machines, ground);
    this.#silences = silences;
    this.#seed = seed;
  }

  /**
   * Plays a case, and shows in the end that every event is in the tables, once and as the model has it. Gives the silences
   * that were longer than their goals allow. `alone` says that it is the second measurement, with nothing of ours beside it.
   * `settled` looks at the brokers when nobody reads or writes any more.
   */
  protected async playOut(
    alone: boolean,
    act: () => Promise<void>,
    settled: () => Promise<void> = async () => {},
  ): Promise<readonly Silence[]> {
    this.#alone = alone;
    try {
      this.#slowness = await this.#silences.slowness();
      this.#bystander = await Bystander.start();
      await act();
      await this.#judge();
      await settled();
      return await this.#tooLong();
    } finally {
      for (const silence of this.#heard) this.#silences.note(silence);
      await this.#end();
    }
  }

  /** Waits until every partition was read beyond everything that it holds now, and a little of what comes. */
  async reached(withinMs = PATIENCE_MS): Promise<void> {
    const ends = await this.#ground.ends();
    await this.watch.passed(new Map([...ends].map(([name, end]) => [name, end + 2])), withinMs);
  }

  /**
   * Lets a fault happen while people write, waits until all partitions are read again, and notes the longest silence.
   * `happens` gives the milliseconds that were the fault itself, if it lasted.
   */
  async fault(named: string, goal: Goal, happens: () => Promise<number | undefined>): Promise<void> {
    const { crowd } = this.#players;
    await crowd.publish(40);
    await this.reached();
    const [moment, began] = [performance.now(), new Date()];
    const lastedMs = (await happens()) ?? 0;
    const longest = async () => {
      await this.reached(Math.max(PATIENCE_MS, patienceMs(goal, this.#slowness)));
      return this.watch.longestSince(moment);
    };
    const [{ partition, from, to }] = await Promise.all([longest(), crowd.publish(40)]);
    const stalledMs = this.#bystander!.stalledMs(from, to);
    const silence = {
      fault: named,
      seed: this.#seed,
      partition,
      silentMs: to - from,
      lastedMs,
      goal,
      stalledMs,
      slowness: this.#slowness,
      alone: this.#alone,
    };
    this.#heard.push(silence);
    if (isTooLong(silence)) this.#tell(named, began);
  }

  /** Goals that were missed, also on a machine that has become slower since it was measured. */
  async #tooLong(): Promise<Silence[]> {
    if (!this.#heard.some(isTooLong)) return [];
    const now = await slowness();
    for (const silence of this.#heard) silence.slowness = Math.max(silence.slowness, now);
    return this.#heard.filter(isTooLong);
  }

  /** What the machines logged since: why a goal was missed is not to be found out by another run. */
  #tell(fault: string, since: Date): void {
    for (const [index, { lines }] of this.#players.machines.all.entries()) {
      const after = lines.filter(({ time }) => String(time) >= since.toISOString());
      process.stderr.write(after.map((line) => `${fault}: machine ${index}: ${JSON.stringify(line)}\n`).join(''));
    }
  }

  /** Somewhere between two moments, in milliseconds. */
  async moment(from: number, to: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.random.between(from, to)));
  }

  async #judge(): Promise<void> {
    const { machines, crowd, pulse } = this.#players;
    await pulse.stop();
    await this.watch.passed(await this.#ground.ends(), PATIENCE_MS);
    await this.watch.stop();
    // Those who land come last: what the others have taken is theirs to finish.
    const all = machines.all.toSorted((a, b) => Number(a.part === 'loading') - Number(b.part === 'loading'));
    for (const machine of all) await machine.quit();
    const judged = ({ code, stderr }: Awaited<ReturnType<Machine['finish']>>): void => expect(code, stderr).toBe(0);
    // Judged when all have ended: none is left running behind a failure.
    const taking = all.filter(({ part }) => part === 'ingestion').map((machine) => machine.finish());
    for (const ended of await Promise.all(taking)) judged(ended);
    for (const machine of all) if (machine.part !== 'ingestion') judged(await machine.finish());
    const { deliveries, poison } = await this.#ground.content();
    expect(deliveries.length + poison.length).toBeGreaterThan(crowd.published);
    const landing = all.filter(({ part }) => part !== 'ingestion');
    const { tables, twice, doubled } = (await machines.held?.()) ?? (await folded(landing));
    expect(doubled, 'rows that stand twice in one warehouse').toEqual([]);
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
    const { machines, pulse } = this.#players;
    await pulse.stop();
    await this.watch.stop();
    await this.#bystander?.stop();
    await machines.remove();
    await this.#ground.remove();
  }
}

function places(list: readonly (readonly unknown[])[]): string[] {
  return list.map((place) => place.join(' ')).sort();
}
