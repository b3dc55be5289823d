import { AortaError, type StepObserver } from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import type { BatchStart, GrowingBatch, Landed, LandedPartition, LandingBatch } from '../../warehouse.ts';
import type { Backlog } from './backlog.ts';
import type { Database } from './database.ts';
import type { DeclaredTables } from './declared-tables.ts';
import { GatheredBatch, type LandingSettings } from './landing.ts';
import type { PreparedFile } from './preparing.ts';
import type { Tidiness } from './tidiness.ts';
import type { ConnectionTurns } from './turns.ts';

interface LanderOptions {
  readonly database: Database;
  readonly turns: ConnectionTurns;
  readonly tables: DeclaredTables;
  readonly backlog: Backlog;
  readonly tidiness: Tidiness;
  readonly settings: LandingSettings;
  readonly prepared: Pick<PreparedFile, 'positions' | 'nextBatch'>;
  readonly clock: () => number;
  readonly onStep: StepObserver;
}

/**
 * Minimum milliseconds between two batches from the same partition, unless a full batch is ready. It applies to streams of
 * summaries and events. Each batch is a table, and each of its columns takes a block of memory, even if there are few rows. A
 * consumer with little traffic flushes less often than this, so the limit does not delay its records.
 */
const LAND_EVERY_MS = 800;

const nameOf = ({ stream, partition }: LandedPartition): string => `${stream}/${partition}`;

export class Lander {
  readonly #options: LanderOptions;
  /** Landed position of each partition, keyed by {@link nameOf}. */
  readonly #positions = new Map<string, Landed>();
  /** Time on the monotonic clock at which each partition was last landed, keyed by {@link nameOf}. */
  readonly #landedAt = new Map<string, number>();
  #nextBatch: number;

  constructor(options: LanderOptions) {
    this.#options = options;
    this.#nextBatch = options.prepared.nextBatch;
    for (const [of, position] of options.prepared.positions) this.#positions.set(nameOf(of), position);
  }

  landed(of: LandedPartition): Landed | undefined {
    return this.#positions.get(nameOf(of));
  }

  /** Milliseconds until the next batch of a partition may be landed; 0 means now. */
  wait(of: LandedPartition): number {
    const last = this.#landedAt.get(nameOf(of));
    if (last === undefined || this.#options.tables.isTimeseries(of.stream)) return 0;
    return Math.max(0, last + LAND_EVERY_MS - performance.now());
  }

  gather<S extends StreamName>(start: BatchStart<S>): GrowingBatch<S> {
    const gathered = this.#gathered(start);
    return {
      add: gathered.add,
      land: (to) => this.#options.turns.inLanding(() => this.#land(start, gathered, to)),
    };
  }

  land<S extends StreamName>(batch: LandingBatch<S>): Promise<void> {
    // Callers may land several batches without waiting, so a batch is numbered only when its turn comes.
    return this.#options.turns.inLanding(() => {
      const gathered = this.#gathered(batch);
      gathered.add(batch.records);
      return this.#land(batch, gathered, batch.to);
    });
  }

  #gathered(start: BatchStart): GatheredBatch {
    const { tables, backlog, settings } = this.#options;
    return new GatheredBatch(start, tables.of(start.stream), backlog.nextNo(start.stream), settings);
  }

  async #land(start: BatchStart, gathered: GatheredBatch, to: number): Promise<void> {
    const { database, backlog, tidiness, clock, onStep } = this.#options;
    if (this.#isLanded(start, to)) return;
    if (gathered.firstNo < backlog.nextNo(start.stream))
      throw new AortaError('AORTA-BUG', {
        place: 'landing',
        problem: `two batches of ${start.stream} were gathered at the same time`,
      });
    const done = await database.transaction('landing', async () => {
      const written = await gathered.write(database, this.#nextBatch, to, clock());
      onStep('land:begun');
      return written;
    });
    const name = nameOf(done);
    backlog.add(done);
    this.#nextBatch++;
    this.#positions.set(name, { incarnation: start.incarnation, position: to });
    this.#landedAt.set(name, performance.now());
    tidiness.landed();
    onStep('land:durable');
  }

  /** Whether a batch was landed before. Throws if it does not begin at the partition's landed position. */
  #isLanded({ stream, partition = 0, incarnation, from }: BatchStart, to: number): boolean {
    const name = nameOf({ stream, partition });
    const landed = this.#positions.get(name);
    if (landed?.incarnation !== incarnation) return false;
    if (landed.position >= to) return true;
    if (landed.position === from) return false;
    const problem = `${name} is landed up to ${landed.position}, but the batch begins at ${from}`;
    throw new AortaError('AORTA-BUG', { place: 'landing', problem });
  }
}
