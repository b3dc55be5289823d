/** Something that is read from end to end: a partition of a source, or a stream by a group. */
export interface LaneName {
  readonly kind: 'partition' | 'stream';
  /** Configured name of the source, or name of the group. */
  readonly reader: string;
  /** Partition of the source, or name of the stream. */
  readonly of: string;
}

/** Something that keeps the program from being ready. */
export interface Stall {
  readonly kind: 'outage' | 'waiting' | 'standing' | 'unheard';
  /** A whole sentence without its full stop: names, counts and times only. */
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}
