import type { AortaError } from '@aorta/runtime';
import type { ProducedRecord, TopicPartition } from '../client.ts';
import { KafkaError } from '../errors.ts';
import { runsOf, sizeOf } from './record-sizes.ts';

/** Records that somebody wants written to a partition. */
export interface Call {
  readonly to: TopicPartition;
  readonly records: readonly ProducedRecord[];
  /** With the offset of the first record. */
  readonly written: (offset: number) => void;
  readonly failed: (error: AortaError) => void;
}

/** A call, or a part of one, that fits into one batch. */
export interface Piece extends Call {
  readonly bytes: number;
}

export interface BatchLimits {
  /** Bytes of records in a batch. */
  readonly bytes: number;
  readonly records: number;
  /** What is compressed may be smaller than it seems: the broker decides. */
  readonly compressed: boolean;
}

/** What waits for a partition, in its order: what was cut into pieces already, and the calls behind it. */
export class PartitionQueue {
  readonly to: TopicPartition;
  readonly #pieces: Piece[] = [];
  readonly #calls: Call[] = [];

  constructor(to: TopicPartition) {
    this.to = to;
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#calls.length === 0;
  }

  push(call: Call): void {
    this.#calls.push(call);
  }

  /** As many pieces as fit into one batch, in their order; none where all that waited was too large. */
  nextBatch(limits: BatchLimits): Piece[] {
    for (const call of this.#calls.splice(0)) this.#pieces.push(...cut(call, limits));
    let bytes = 0;
    let records = 0;
    const end = this.#pieces.findIndex((piece, at) => {
      bytes += piece.bytes;
      records += piece.records.length;
      return at > 0 && (bytes > limits.bytes || records > limits.records);
    });
    return this.#pieces.splice(0, end === -1 ? this.#pieces.length : end);
  }
}

/** The pieces of a call; none where one of its records is too large, which fails all of it. */
function cut(call: Call, { bytes: limit, records, compressed }: BatchLimits): Piece[] {
  const sizes = call.records.map(sizeOf);
  const tooLarge = compressed ? undefined : sizes.find((size) => size > limit);
  if (tooLarge !== undefined) {
    call.failed(new KafkaError('AORTA-KAFKA-RECORD-SIZE', { ...call.to, bytes: tooLarge, limit }));
    return [];
  }
  let begin = 0;
  let first = 0;
  const ends = runsOf(sizes, limit, records);
  let waiting = ends.length;
  return ends.map((end) => {
    const from = begin;
    begin = end;
    const written = (offset: number): void => {
      if (from === 0) first = offset;
      waiting -= 1;
      if (waiting === 0) call.written(first);
    };
    const bytes = sizes.slice(from, end).reduce((sum, size) => sum + size, 0);
    return { to: call.to, records: call.records.slice(from, end), bytes, written, failed: call.failed };
  });
}

/** The two halves of a piece of several records; it is written when both are. */
export function halvesOf(piece: Piece): readonly [Piece, Piece] {
  const middle = piece.records.length >> 1;
  let first: number | undefined;
  let over = false;
  const half = (records: readonly ProducedRecord[]): Piece => ({
    ...piece,
    records,
    bytes: Math.ceil(piece.bytes / 2),
    written: (offset) => {
      if (over) return;
      if (first === undefined) first = offset;
      else piece.written(first);
    },
    failed: (error) => {
      if (!over) piece.failed(error);
      over = true;
    },
  });
  return [half(piece.records.slice(0, middle)), half(piece.records.slice(middle))];
}
