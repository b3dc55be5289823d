import type { StreamName, StreamRecords } from '@aorta/schemas';
import type { Answer } from '@aorta/service-client';
import type { ReadableLog, ReadBatch, StreamPartition } from '@aorta/streams';
import { type AortaError, errorFields, isAortaError, type Logger, type Metrics, pause, type SetGauge } from '@aorta/telemetry';
import { z } from 'zod';
import { type Heard, positionIn } from '../heard.ts';
import { brokenFor } from '../jobs.ts';
import { type FetchedBatch, FetchedDeliveries, type FetchedDelivery, type FetchingJob } from './fetched.ts';
import type { Memory, OpenMemory } from './memory.ts';
import { type Owed, OwedSet, owedShape } from './owed.ts';

/** Where announcements are read. */
interface Announcements extends Pick<ReadableLog, 'assigned' | 'incarnation' | 'start' | 'end' | 'read' | 'look'> {
  /** Tells whoever watches how far a partition was read; nothing depends on it. */
  tell?(of: StreamPartition, position: number): Promise<void>;
  close?(): Promise<void>;
}

/** Opens them. `heard` says how far the job is in a partition, at any time: a partition that comes is read from there. */
export type OpenAnnouncements = (heard: (of: StreamPartition) => Heard | undefined, stream: StreamName) => Promise<Announcements>;

export interface AnnouncedOptions<S extends StreamName> {
  /** Name of the job in receipts, metrics and logs. */
  readonly name: string;
  /** The stream whose events announce what is to be fetched. */
  readonly stream: S;
  /** What a record announces, by the name that `fetch` is given; undefined where it announces nothing. */
  readonly announces: (record: StreamRecords[S]) => { readonly key: string; readonly userId: string } | undefined;
  readonly fetch: (key: string, signal: AbortSignal) => Promise<Answer<unknown>>;
  /** Prefix of the events that answers become: with `.fetched`, or `.not_fetched` where it was given up. */
  readonly event: string;
  /** The data of such an event; `answer` is undefined where it was given up. */
  readonly data: (key: string, answer: unknown) => unknown;
  readonly openLog: OpenAnnouncements;
  readonly memory: OpenMemory;
  /** Ends when nothing is due any more. */
  readonly once: boolean;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly now?: () => number;
}

/** What is owed at the same time at most: more stays in its stream until there is room. */
const MOST_OWED = 10_000;
/** Fetched for one batch. */
const TOGETHER = 8;
const READ = { records: 2_000, bytes: 4 * 1024 * 1024 };
/** Between two looks at the stream. */
const LOOK_MS = 500;
/** After an error that concerns every call, such as a key that is not known. */
const REST_MS = 60_000;

const remembered = z.object({
  /** Before what was read: where not all of it is kept, it is read again. */
  owed: z.preprocess((kept) => (Array.isArray(kept) ? { ...kept } : kept), z.record(z.string(), owedShape)),
  /** By partition: how far its announcements were read. */
  read: z.record(z.string(), z.object({ incarnation: z.string(), position: z.number() })),
  offset: z.number(),
});
type Remembered = z.output<typeof remembered>;

/** What concerns every call, unless others are answered at the same time: nothing is counted against what was asked for. */
const ofAll: ReadonlySet<string> = new Set(['AORTA-SERVICE-KEY', 'AORTA-SERVICE-FORBIDDEN', 'AORTA-SERVICE-NOT-ENABLED']);

/**
 * Fetches what the events of a stream announce. It remembers what is owed over restarts: what it has read of the stream
 * and what of it is still to be fetched are written down together, after the answers are durable. So a crash anywhere
 * leads to the same question once more at most.
 *
 * What the service no longer has is settled as gone. What cannot be had in {@link QUOTA} attempts becomes a dead letter.
 * While the service is away, or refuses the key, nothing counts as an attempt.
 */
export async function openAnnounced<S extends StreamName>(options: AnnouncedOptions<S>): Promise<FetchingJob<Remembered>> {
  const empty: Remembered = { owed: {}, read: {}, offset: 0 };
  const { memory, content } = await options.memory(remembered, empty);
  const read = new Map(Object.entries(content.read));
  try {
    const log = await options.openLog(({ partition }) => read.get(String(partition)), options.stream);
    return new Announced(options, log, memory, read, content);
  } catch (error) {
    await memory.close();
    throw error;
  }
}

interface Outcome {
  /** The service had an answer, be it that there is nothing. */
  readonly answered: boolean;
  readonly deliveries: readonly FetchedDelivery[];
  readonly refused?: { readonly key: string; readonly userId: string; readonly error: AortaError };
}

class Announced<S extends StreamName> implements FetchingJob<Remembered> {
  readonly name: string;
  readonly #options: AnnouncedOptions<S>;
  readonly #log: Announcements;
  readonly #memory: Memory<Remembered>;
  readonly #owed: OwedSet;
  readonly #read: Map<string, Heard>;
  readonly #deliveries: FetchedDeliveries;
  readonly #now: () => number;
  readonly #broken = new Set<number>();
  #restUntil = 0;
  #told: string | undefined;

  constructor(
    options: AnnouncedOptions<S>,
    log: Announcements,
    memory: Memory<Remembered>,
    read: Map<string, Heard>,
    { owed, offset }: Remembered,
  ) {
    this.name = options.name;
    this.#options = options;
    this.#log = log;
    this.#memory = memory;
    this.#read = read;
    this.#now = options.now ?? Date.now;
    this.#owed = new OwedSet(Object.values(owed));
    this.#deliveries = new FetchedDeliveries(options.name, offset, this.#now);
  }

  async *batches(signal: AbortSignal): AsyncGenerator<FetchedBatch<Remembered>> {
    const unwatch = this.#options.metrics.watch((set: SetGauge) =>
      set('aorta_fetch_owed', { source: this.name }, this.#owed.size),
    );
    try {
      while (!signal.aborted) {
        const heard = await this.#hear();
        const due = this.#now() < this.#restUntil ? [] : this.#owed.due(this.#now(), TOGETHER);
        if (due.length > 0) {
          const outcomes = await Promise.all(due.map((one) => this.#fetch(one, signal)));
          if (signal.aborted) return;
          const deliveries = [...outcomes.flatMap(({ deliveries: some }) => some), ...this.#refused(outcomes)];
          yield { deliveries, position: this.#state(), awaited: true };
        } else if (heard) yield { deliveries: [], position: this.#state() };
        else if (this.#options.once && !(await this.#behind())) return;
        else await pause(LOOK_MS, signal);
      }
    } finally {
      unwatch();
    }
  }

  async commit(positions: readonly Remembered[]): Promise<void> {
    const { owed, read, offset } = positions.at(-1)!;
    await this.#memory.keep({ owed, read, offset });
    if (this.#log.tell === undefined) return;
    for (const of of this.#log.assigned()) {
      const heard = read[String(of.partition)];
      if (heard?.incarnation === this.#log.incarnation(of)) await this.#log.tell(of, heard.position);
    }
  }

  async close(): Promise<void> {
    await this.#log.close?.();
    await this.#memory.close();
  }

  #state(): Remembered {
    return {
      owed: Object.fromEntries(this.#owed.all.map((one) => [`${one.key} ${one.since}`, one])),
      read: Object.fromEntries(this.#read),
      offset: this.#deliveries.last,
    };
  }

  /** Whether there is something to hear still: of topics it may be on its way. */
  async #behind(): Promise<boolean> {
    await this.#log.look?.();
    return this.#log
      .assigned()
      .filter(({ stream, partition }) => stream === this.#options.stream && !this.#broken.has(partition))
      .some((of) => this.#from(of) < this.#log.end(of));
  }

  /** Where reading goes on. */
  #from(of: StreamPartition): number {
    return positionIn(this.#log, of, this.#read.get(String(of.partition))) ?? this.#log.start(of);
  }

  /** Takes note of what was announced since. Says whether anything was read. */
  async #hear(): Promise<boolean> {
    const { stream } = this.#options;
    let heard = false;
    for (const of of this.#log.assigned()) {
      if (of.stream !== stream) continue;
      while (this.#owed.size < MOST_OWED && (await this.#readOn(of as StreamPartition<S>))) heard = true;
    }
    return heard;
  }

  /** Of a partition that cannot be read nothing more is heard until the next life, and the others go on. */
  async #readFrom(of: StreamPartition<S>, from: number): Promise<ReadBatch<S> | undefined> {
    try {
      return await this.#log.read(of, from, READ);
    } catch (error) {
      if (!isAortaError(error) || !brokenFor.has(error.code)) throw error;
      this.#broken.add(of.partition);
      const { stream, partition } = of;
      this.#options.logger.error('stream cannot be read', { stream, partition, ...errorFields(error) });
      return undefined;
    }
  }

  async #readOn(of: StreamPartition<S>): Promise<boolean> {
    const { announces } = this.#options;
    const log = this.#log;
    const incarnation = log.incarnation(of);
    const from = this.#from(of);
    if (from >= log.end(of) || this.#broken.has(of.partition)) return false;
    const read = await this.#readFrom(of, from);
    // Lost meanwhile: whoever has it now hears it.
    if (read === undefined || !log.assigned().includes(of)) return false;
    const { records, to } = read;
    for (const record of records) {
      const announced = announces(record);
      if (announced !== undefined) this.#owed.announce(announced.key, announced.userId, this.#now());
    }
    if (to > from) this.#read.set(String(of.partition), { incarnation, position: to });
    return to > from;
  }

  /** One attempt; gives what becomes of it. */
  async #fetch({ key, userId }: Owed, signal: AbortSignal): Promise<Outcome> {
    const { fetch } = this.#options;
    try {
      const { value, servedAt } = await fetch(key, signal);
      this.#owed.settle(key);
      this.#count('fetched');
      this.#told = undefined;
      return { answered: true, deliveries: [this.#make('fetched', key, userId, value, servedAt)] };
    } catch (error) {
      if (signal.aborted) return { answered: false, deliveries: [] };
      if (!isAortaError(error)) throw error;
      if (error.code === 'AORTA-SERVICE-GONE') {
        this.#owed.settle(key);
        this.#count('gone');
        return { answered: true, deliveries: [] };
      }
      this.#tell(error);
      if (ofAll.has(error.code)) return { answered: false, deliveries: [], refused: { key, userId, error } };
      const givenUp = error.code === 'AORTA-SERVICE-TOO-LARGE' || this.#failed(key, error, true) === 'given up';
      return { answered: false, deliveries: this.#notFetched(key, userId, givenUp) };
    }
  }

  /** What was refused as it would be to everybody: where others of the same batch were answered, it is of this one nevertheless. */
  #refused(outcomes: readonly Outcome[]): FetchedDelivery[] {
    const refused = outcomes.flatMap((outcome) => (outcome.refused === undefined ? [] : [outcome.refused]));
    const ofThese = outcomes.some(({ answered }) => answered);
    if (refused.length > 0 && !ofThese) this.#restUntil = this.#now() + REST_MS;
    return refused.flatMap(({ key, userId, error }) =>
      this.#notFetched(key, userId, this.#failed(key, error, ofThese) === 'given up'),
    );
  }

  #notFetched(key: string, userId: string, givenUp: boolean): FetchedDelivery[] {
    this.#count(givenUp ? 'given_up' : 'failed');
    if (!givenUp) return [];
    this.#owed.settle(key);
    return [this.#make('not_fetched', key, userId, undefined, this.#now() * 1000)];
  }

  #make(ending: string, key: string, userId: string, content: unknown, servedAt: number): FetchedDelivery {
    const { event, data } = this.#options;
    return this.#deliveries.make({ eventType: `${event}.${ending}`, userId, data: data(key, content), servedAt });
  }

  /** `ofThis`: the error is not of everything that is asked for. */
  #failed(key: string, { code, details }: AortaError, ofThis: boolean): 'again' | 'given up' {
    const away = code === 'AORTA-SERVICE-UNREACHABLE' || details.status === 429 || details.status === 503;
    return this.#owed.failed(key, this.#now(), !away && ofThis);
  }

  #count(outcome: 'fetched' | 'gone' | 'failed' | 'given_up'): void {
    this.#options.metrics.count('aorta_fetches_total', { source: this.name, outcome });
  }

  /** Once for each kind of error in a row: an hour without the service is one line. */
  #tell(error: AortaError): void {
    if (this.#told === error.code) return;
    this.#told = error.code;
    this.#options.logger.warn('not fetched', { source: this.name, ...errorFields(error) });
  }
}
