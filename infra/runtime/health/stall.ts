/** Identifies a lane: a source partition, or a stream as read by one consumer group. */
export interface LaneName {
  readonly kind: 'partition' | 'stream';
  /** Configured name of the source, or name of the consumer group. */
  readonly reader: string;
  /** Partition of the source, or name of the stream. */
  readonly of: string;
}

export interface Stall {
  readonly kind: 'outage' | 'waiting' | 'standing' | 'unheard';
  /** A sentence without a full stop. It contains only names, counts and times. */
  readonly reason: string;
  /** Start of the stall, in milliseconds since 1970. */
  readonly since: number;
}
