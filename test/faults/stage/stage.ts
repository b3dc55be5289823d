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

/** If no goal is given, a partition that is not read for this many milliseconds counts as stalled. */
const PATIENCE_MS = 120_000;
/** Default size of the redelivery window, in offsets. */
const WINDOW = 20_000;

/** An event in the log that is not a valid event of the service. */
export interface Poison {
  readonly partition: string;
  readonly offset: number;
}

/** The log that the machines read. Its broker can be killed, and still has its events after a restart. */
export interface LogUnderTest {
  /** Partitions that constantly get events. The machines' metrics use the same names. */
  readonly names: readonly string[];
  /** Returns the offset after the last event, by partition name. */
  ends(): Promise<ReadonlyMap<string, number>>;
  /** Reads all events directly with a client library, without our code. */
  content(): Promise<{ readonly deliveries: readonly TestDelivery[]; readonly poison: readonly Poison[] }>;
  remove(): Promise<void>;
}

/** The machines that read the log, and the producers that write to it. */
export interface Participants {
  readonly machines: {
    readonly all: readonly Machine[];
    /** Returns the tables of the warehouse that all machines share. Absent if each machine has its own warehouse. */
    readonly held?: (() => Promise<Folded>) | undefined;
    remove(): Promise<void>;
  };
  readonly publisher: { readonly published: number; publish(count: number): Promise<void> };
  /** Writes to every partition at short intervals. */
  readonly ticker: { stop(): Promise<void> };
}

export interface StageOptions {
  readonly seed: number;
  readonly partitions: number;
  readonly silences: Silences;
}

/** The base class for fault cases. Injects faults while machines read from a broker and producers write to it. */
export abstract class Stage {
  readonly random: Random;
  readonly watch: Watch;
  readonly #log: LogUnderTest;
  readonly #participants: Participants;
  readonly #silences: Silences;
  readonly #seed: number;
  readonly #silencesSeen: Silence[] = [];
  #slowness = 1;
  #bystander: Bystander | undefined;
  #alone = false;

  protected constructor(log: LogUnderTest, participants: Participants, { seed, silences }: StageOptions) {
    this.#log = log;
    this.#participants = participants;
    this.random = randomOf(seed);
    this.watch = new Watch(participants.machines, log);
    this.#silences = silences;
    this.#seed = seed;
  }

  /**
   * Runs a case. Then checks that every event is in the tables exactly once, and that the tables match those of the model.
   * Returns the silences that exceed their goals. `alone` means that this is the second measurement, without other cases.
   * `settled` is called after all reads and writes to check the brokers.
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
      for (const silence of this.#silencesSeen) this.#silences.note(silence);
      await this.#end();
    }
  }

  /** Waits until the machines have read every partition to two events beyond its current end. */
  async reached(withinMs = PATIENCE_MS): Promise<void> {
    const ends = await this.#log.ends();
    await this.watch.passed(new Map([...ends].map(([name, end]) => [name, end + 2])), withinMs);
  }

  /**
   * Injects a fault under load, waits until all partitions are read again, and records the longest silence. `happens` injects
   * the fault and returns its duration in milliseconds, or undefined if the fault has no duration.
   */
  async fault(named: string, goal: Goal, happens: () => Promise<number | undefined>): Promise<void> {
    const { publisher } = this.#participants;
    await publisher.publish(40);
    await this.reached();
    const [moment, began] = [performance.now(), new Date()];
    const lastedMs = (await happens()) ?? 0;
    const longest = async () => {
      await this.reached(Math.max(PATIENCE_MS, patienceMs(goal, this.#slowness)));
      return this.watch.longestSince(moment);
    };
    const [{ partition, from, to }] = await Promise.all([longest(), publisher.publish(40)]);
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
    this.#silencesSeen.push(silence);
    if (isTooLong(silence)) this.#tell(named, began);
  }

  /** Returns the silences that exceed their goals. If this machine has become slower, the goals allow more time. */
  async #tooLong(): Promise<Silence[]> {
    if (!this.#silencesSeen.some(isTooLong)) return [];
    const now = await slowness();
    for (const silence of this.#silencesSeen) silence.slowness = Math.max(silence.slowness, now);
    return this.#silencesSeen.filter(isTooLong);
  }

  /** Prints the machines' logs from the given time on, so that a missed goal can be explained without another run. */
  #tell(fault: string, since: Date): void {
    for (const [index, { lines }] of this.#participants.machines.all.entries()) {
      const after = lines.filter(({ time }) => String(time) >= since.toISOString());
      process.stderr.write(after.map((line) => `${fault}: machine ${index}: ${JSON.stringify(line)}\n`).join(''));
    }
  }

  /** Waits for a random time between `from` and `to` milliseconds. */
  async moment(from: number, to: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.random.between(from, to)));
  }

  async #judge(): Promise<void> {
    const { machines, publisher, ticker } = this.#participants;
    await ticker.stop();
    await this.watch.passed(await this.#log.ends(), PATIENCE_MS);
    await this.watch.stop();
    // Loading machines stop last, because they load the records that the other machines ingest.
    const all = machines.all.toSorted((a, b) => Number(a.part === 'loading') - Number(b.part === 'loading'));
    for (const machine of all) await machine.quit();
    const judged = ({ code, stderr }: Awaited<ReturnType<Machine['finish']>>): void => expect(code, stderr).toBe(0);
    // Checks the exit codes after all processes have ended, so that a failure leaves no process running.
    const taking = all.filter(({ part }) => part === 'ingestion').map((machine) => machine.finish());
    for (const ended of await Promise.all(taking)) judged(ended);
    for (const machine of all) if (machine.part !== 'ingestion') judged(await machine.finish());
    const { deliveries, poison } = await this.#log.content();
    expect(deliveries.length + poison.length).toBeGreaterThan(publisher.published);
    const landing = all.filter(({ part }) => part !== 'ingestion');
    const { tables, twice, doubled } = (await machines.held?.()) ?? (await folded(landing));
    expect(doubled, 'tables that hold a key twice in one warehouse').toEqual([]);
    const isPoison = ({ dead_letter_reason: reason }: Record<string, unknown>): boolean => reason !== null;
    const receipts = tables.deliveries!;
    // Every event in the log has one receipt, and only poison events are dead letters.
    expect(receipts).toHaveLength(deliveries.length + poison.length);
    expect(places(receipts.filter(isPoison).map((row) => [row.source_partition, row.source_offset]))).toEqual(
      places(poison.map(({ partition, offset }) => [partition, offset])),
    );
    const readable = { ...tables, deliveries: receipts.filter((row) => !isPoison(row)) };
    expect(ordered(readable)).toEqual(ordered(modelTables(deliveries, { window: WINDOW })));
    this.#silences.judged({ seed: this.#seed, events: receipts.length, twice });
  }

  async #end(): Promise<void> {
    const { machines, ticker } = this.#participants;
    await ticker.stop();
    await this.watch.stop();
    await this.#bystander?.stop();
    await machines.remove();
    await this.#log.remove();
  }
}

function places(list: readonly (readonly unknown[])[]): string[] {
  return list.map((place) => place.join(' ')).sort();
}
