import type { AortaError } from '@aorta/runtime';
import type { ProducedRecord, TopicPartition } from '../client.ts';
import { KafkaError } from '../errors.ts';
import { runsOf, sizeOf } from './record-sizes.ts';

/** A call to write records to a partition. */
export interface Call {
  readonly to: TopicPartition;
  readonly records: readonly ProducedRecord[];
  /** Called with the offset of the first record. */
  readonly written: (offset: number) => void;
  readonly failed: (error: AortaError) => void;
}

/** A call, or a part of one, that fits into one batch. */
export interface Piece extends Call {
  readonly bytes: number;
}

export interface BatchLimits {
  /** Maximum size of the records in a batch, in bytes. */
  readonly bytes: number;
  readonly records: number;
  /** If true, sizes are not checked here. Only the broker can tell whether a record fits after compression. */
  readonly compressed: boolean;
}

/** The queue of a partition. It contains pieces, followed by calls that are not split yet. */
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

  /** Removes and returns the pieces that fit into one batch, in order. The list is empty if every queued call was too large. */
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

/** Splits a call into pieces. If one of its records is too large, fails the whole call and returns no piece. */
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

/** Splits a piece into two halves. The piece is written when both halves are written. */
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
