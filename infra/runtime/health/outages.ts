import type { LaneName, Stall } from './stall.ts';

/** Identifies the part of a source that cannot be read. */
export interface OutageTarget {
  /** Configured name of the source. */
  readonly reader: string;
  /** The part of the source, such as `hub health-events`. */
  readonly of: string;
  /** Common prefix of the names of this part's partitions. The outage explains why these partitions are silent. */
  readonly partitions: string;
}

export interface OutageFacts extends OutageTarget {
  /** The reason for the outage, with the error condition: `its key or role is refused (amqp:unauthorized-access)`. */
  readonly reason: string;
  /** Time of the last successful read, in milliseconds since 1970. */
  readonly since: number;
  /** Milliseconds after which the outage counts as a stall. */
  readonly deadlineMs: number;
}

export class Outages {
  readonly #outages = new Set<OutageFacts>();

  begin(outage: OutageFacts): () => void {
    this.#outages.add(outage);
    return () => void this.#outages.delete(outage);
  }

  all(): readonly OutageFacts[] {
    return [...this.#outages];
  }

  /** Returns the outages that have reached their deadline. */
  overdue(now: number): readonly OutageFacts[] {
    return this.all().filter(({ since, deadlineMs }) => now - since >= deadlineMs);
  }
}

export function stallOf({ reader, of, reason, since }: OutageFacts, now: number): Stall {
  const seconds = Math.floor((now - since) / 1000);
  return { kind: 'outage', reason: `${of} of source ${reader} has not been read for ${seconds} s: ${reason}`, since };
}

/** True if the outage is the reason why a partition is silent. */
export function explains(outage: OutageTarget, { reader, of }: LaneName): boolean {
  return reader === outage.reader && of.startsWith(outage.partitions);
}
