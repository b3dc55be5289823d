import type { ReadBatch } from '@aorta/connectors';
import type { ReadPositions } from '@aorta/connectors/streams';
import type { StreamName } from '@aorta/schemas';
import type { Emitter } from '../workers/emitter.ts';
import type { StreamReading, Worker } from '../workers/worker.ts';
import type { Pulls } from './pulls.ts';
import type { EvidenceStream } from './tracker.ts';

export interface HearingOptions {
  readonly pulls: Pulls;
  readonly reads: StreamReading;
  readonly positions: ReadPositions;
  readonly emitter: Pick<Emitter, 'record'>;
  /** Whether the job also calls the service. If so, the evidence is complete only after a full sweep. */
  readonly asks: boolean;
  readonly once: boolean;
  readonly clock: () => number;
  readonly onClose: () => Promise<void>;
}

/** Reads the evidence of historical pulls from the streams, derives tracks, and saves the state periodically. */
export class Hearing implements Worker {
  readonly reads: StreamReading;
  readonly #options: HearingOptions;
  #toGather: boolean;

  constructor(options: HearingOptions) {
    this.#options = options;
    this.reads = options.reads;
    this.#toGather = !options.asks;
  }

  heard({ stream, records }: ReadBatch<StreamName>): void {
    const { pulls, asks } = this.#options;
    for (const record of records) pulls.tracker.hear(stream as EvidenceStream, record as never);
    pulls.touch();
    if (!asks) this.#toGather = true;
  }

  /** Called when all answers of a sweep are in the streams. */
  sweepEnded(): void {
    this.#toGather = true;
  }

  nextAt(now: number): number {
    const { once, pulls } = this.#options;
    // In a run with `--once`, this worker only sends its summary and saves its state at the end.
    if (once) return Number.POSITIVE_INFINITY;
    return this.#toGather && this.#isCaughtUp() ? now : pulls.snapshotAt();
  }

  async work(): Promise<void> {
    if (!this.#toGather) return;
    this.#toGather = false;
    this.#options.pulls.notices?.gathered();
  }

  changes(): (() => Promise<void>) | undefined {
    const { pulls, emitter, positions, once, clock } = this.#options;
    const { tracks } = pulls.fold();
    for (const track of tracks) emitter.record('historical_pull_tracks', track);
    return !once && clock() >= pulls.snapshotAt() ? pulls.snapshot(positions.all()) : undefined;
  }

  async close(lost: boolean): Promise<void> {
    const { pulls, positions, onClose } = this.#options;
    pulls.close();
    this.reads.reader.close();
    await using closing = new AsyncDisposableStack();
    closing.defer(onClose);
    if (!lost && Number.isFinite(pulls.snapshotAt())) await pulls.snapshot(positions.all())();
  }

  #isCaughtUp(): boolean {
    return this.reads.reader.partitions().every(({ damage, position, end }) => damage !== undefined || position >= end);
  }
}
