import type { LaneName, Stall } from './stall.ts';

/** A place of a source that cannot be read. */
export interface OutagePlace {
  /** Configured name of the source. */
  readonly reader: string;
  /** What of it: `hub health-events`. */
  readonly of: string;
  /** What the names of its partitions begin with: that these are not heard of needs no reason of its own. */
  readonly partitions: string;
}

export interface OutageFacts extends OutagePlace {
  /** Why, in words of the code, with the condition: `its key or role is refused (amqp:unauthorized-access)`. */
  readonly reason: string;
  /** When it was last read, in milliseconds since 1970. */
  readonly since: number;
  /** Milliseconds after which it is a stall. */
  readonly deadlineMs: number;
}

/** What cannot be read at the moment. */
export class Outages {
  readonly #outages = new Set<OutageFacts>();

  /** Begins one, which lasts until what is returned is called. */
  begin(outage: OutageFacts): () => void {
    this.#outages.add(outage);
    return () => void this.#outages.delete(outage);
  }

  all(): readonly OutageFacts[] {
    return [...this.#outages];
  }

  /** Those that have lasted for longer than they may. */
  overdue(now: number): readonly OutageFacts[] {
    return this.all().filter(({ since, deadlineMs }) => now - since >= deadlineMs);
  }
}

export function stallOf({ reader, of, reason, since }: OutageFacts, now: number): Stall {
  const seconds = Math.floor((now - since) / 1000);
  return { kind: 'outage', reason: `${of} of source ${reader} has not been read for ${seconds} s: ${reason}`, since };
}

/** Whether a partition is not heard of because of the outage. */
export function explains(outage: OutagePlace, { reader, of }: LaneName): boolean {
  return reader === outage.reader && of.startsWith(outage.partitions);
}
