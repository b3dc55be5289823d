import type { Counts } from './amqp-listener.ts';
import type { Hub } from './hub.ts';

export interface ServerState {
  readonly hubs: readonly HubState[];
  readonly links: readonly LinkState[];
  readonly connections: number;
  /** counters since the start of the server */
  readonly counts: Readonly<Counts>;
}

export interface HubState {
  readonly name: string;
  readonly groups: readonly string[];
  readonly partitions: readonly PartitionState[];
}

export interface PartitionState {
  readonly id: string;
  /** sequence number of the first remaining event, or of the next event if no event remains */
  readonly begin: number;
  /** sequence number of the last event; -1 if no event was ever appended */
  readonly last: number;
  readonly lastOffset: string;
  readonly bytes: number;
}

/** An open link between a client and a hub. */
export interface LinkState {
  readonly kind: 'receive' | 'send';
  readonly hub: string;
  readonly partition?: string;
  /** consumer group in lower case; only for receiving links */
  readonly group?: string;
  readonly identifier?: string;
  readonly ownerLevel?: number;
  /** sequence number of the next delivery */
  readonly next?: number;
  readonly credit?: number;
  readonly stalled?: boolean;
}

export function hubState({ name, groups, partitions }: Hub): HubState {
  return {
    name,
    groups,
    partitions: partitions.map(({ id, ends }) => ({
      id,
      begin: ends.begin,
      last: ends.last.sequenceNumber,
      lastOffset: ends.last.offset,
      bytes: ends.bytes,
    })),
  };
}
