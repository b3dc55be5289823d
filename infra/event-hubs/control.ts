import type { AmqpListener, Counts } from './amqp-listener.ts';
import { condition } from './conditions.ts';
import { type Hubs, hubNamed } from './entity.ts';
import { type LinkFilter, matches, type RequestNode } from './fault-rules.ts';
import type { Hub } from './hub.ts';
import type { PartitionLog } from './partition-log.ts';
import { encodedMessage, type RawEvent } from './raw-event.ts';
import { sentMessage } from './stored-message.ts';

/** Where things stand. */
export interface ServerState {
  readonly hubs: readonly HubState[];
  readonly links: readonly LinkState[];
  readonly connections: number;
  /** since the start */
  readonly counts: Readonly<Counts>;
}

export interface HubState {
  readonly name: string;
  readonly groups: readonly string[];
  readonly partitions: readonly PartitionState[];
}

export interface PartitionState {
  readonly id: string;
  /** sequence number of the first event that is still there, or of the next one */
  readonly begin: number;
  /** sequence number of the last event, -1 where there never was one */
  readonly last: number;
  readonly lastOffset: string;
  readonly bytes: number;
}

/** An open link of a client to a hub. */
export interface LinkState {
  readonly kind: 'receive' | 'send';
  readonly hub: string;
  readonly partition?: string;
  /** lower case; receiving links */
  readonly group?: string;
  readonly identifier?: string;
  readonly ownerLevel?: number;
  /** sequence number of the next delivery */
  readonly next?: number;
  readonly credit?: number;
  readonly stalled?: boolean;
}

/** Names one partition. */
export interface PartitionName {
  readonly hub: string;
  readonly partition: string;
}

/** What an attach, a detach or a close says. */
export interface SaidCondition {
  /** an AMQP condition */
  readonly condition?: string;
}

/**
 * The faults that can be injected, and a look at the state. The same in the server's process (`EventHubsServer.faults`) and through the
 * control port (`controlClient`). Whatever names no link, hub or partition is for all; numbers that come back say how many were hit.
 */
export interface EventHubsControl {
  state(): Promise<ServerState>;
  /** Detaches links, by default with `amqp:link:detach-forced`; they may attach again at once. */
  detach(where?: LinkFilter & SaidCondition): Promise<number>;
  /** Closes all connections, by default with `amqp:connection:forced`. */
  close(how?: SaidCondition): Promise<number>;
  /** Resets all sockets. */
  reset(): Promise<number>;
  /** A black hole: nothing passes in either direction until `thaw`. With `newConnections` for connections that come later, too. */
  freeze(how?: { readonly newConnections?: boolean }): Promise<number>;
  thaw(): Promise<number>;
  /** Requests to a node are taken and not answered until `unmute`. Both nodes, where none is named. */
  mute(what?: { readonly node?: RequestNode }): Promise<void>;
  unmute(what?: { readonly node?: RequestNode }): Promise<void>;
  /** Refuses attaches, by default with `com.microsoft:server-busy`, for so many milliseconds or until `admit`. */
  refuse(where?: LinkFilter & SaidCondition & { readonly forMs?: number }): Promise<void>;
  admit(): Promise<void>;
  /** Serves open receiving links no more, without a word to their clients: links that attach afterwards are served. */
  stall(where?: LinkFilter): Promise<number>;
  /** Holds every turn of deliveries (of at most 256 events) back by so many milliseconds, until `undelay`. */
  delay(where: LinkFilter & { readonly ms: number }): Promise<void>;
  undelay(): Promise<void>;
  /** Sends the next `times` (default 1) events twice, each with its one sequence number. */
  repeatDeliveries(where?: LinkFilter & { readonly times?: number }): Promise<void>;
  /** Stores the next `times` (default 1) batches twice, as the retry of a producer that missed an answer does. */
  repeatStores(where?: LinkFilter & { readonly times?: number }): Promise<void>;
  /** Stores events without a client; gives the sequence number of the first. */
  append(what: PartitionName & { readonly events: readonly RawEvent[]; readonly enqueuedTime?: number }): Promise<number>;
  /** Drops events before a sequence number, as retention does; gives the first that is still there. */
  trim(what: PartitionName & { readonly before: number }): Promise<number>;
  /** The hub as it is after it was deleted and made anew: empty, numbered from 0, its links detached. */
  recreate(what: { readonly hub: string }): Promise<void>;
}

const said = 'A fault was asked for.';

/** The control of a listener in this process. */
export class LocalControl implements EventHubsControl {
  readonly #listener: AmqpListener;
  readonly #hubs: Hubs;

  constructor(listener: AmqpListener, hubs: Hubs) {
    this.#listener = listener;
    this.#hubs = hubs;
  }

  async state(): Promise<ServerState> {
    const { receiveLinks, sendLinks, connections, counts } = this.#listener;
    const receiving = [...receiveLinks].map(({ facts, level, next, credit, stalled }) => ({
      ...present(facts),
      ...(level === undefined ? {} : { ownerLevel: level }),
      next,
      credit,
      stalled,
    }));
    return {
      hubs: [...this.#hubs.values()].map(hubState),
      links: [...receiving, ...[...sendLinks].map(({ facts }) => present(facts))],
      connections: connections.size,
      counts: { ...counts },
    };
  }

  async detach({ condition: name = condition.detachForced, ...filter }: LinkFilter & SaidCondition = {}): Promise<number> {
    const error = { condition: name, description: said };
    const { receiveLinks, sendLinks } = this.#listener;
    const links = [...receiveLinks, ...sendLinks].filter(({ facts }) => matches(filter, facts));
    for (const link of links) this.#listener.detach(link, error);
    return links.length;
  }

  async close({ condition: name = condition.connectionForced }: SaidCondition = {}): Promise<number> {
    return this.#listener.connections.close({ condition: name, description: said });
  }

  async reset(): Promise<number> {
    return this.#listener.connections.reset();
  }

  async freeze({ newConnections = false }: { newConnections?: boolean } = {}): Promise<number> {
    return this.#listener.connections.freeze(newConnections);
  }

  async thaw(): Promise<number> {
    return this.#listener.connections.thaw();
  }

  async mute({ node }: { node?: RequestNode } = {}): Promise<void> {
    for (const one of nodes(node)) this.#listener.rules.mute(one);
  }

  async unmute({ node }: { node?: RequestNode } = {}): Promise<void> {
    for (const one of nodes(node)) this.#listener.rules.unmute(one);
  }

  async refuse({ condition: name, forMs, ...filter }: LinkFilter & SaidCondition & { forMs?: number } = {}): Promise<void> {
    this.#listener.rules.refuse(filter, name, forMs);
  }

  async admit(): Promise<void> {
    this.#listener.rules.admit();
  }

  async stall(filter: LinkFilter = {}): Promise<number> {
    const links = [...this.#listener.receiveLinks].filter(({ facts }) => matches(filter, facts));
    for (const link of links) link.stalled = true;
    return links.length;
  }

  async delay({ ms, ...filter }: LinkFilter & { ms: number }): Promise<void> {
    this.#listener.rules.delay(filter, ms);
  }

  async undelay(): Promise<void> {
    this.#listener.rules.undelay();
  }

  async repeatDeliveries({ times = 1, ...filter }: LinkFilter & { times?: number } = {}): Promise<void> {
    this.#listener.rules.repeatDeliveries(filter, times);
  }

  async repeatStores({ times = 1, ...filter }: LinkFilter & { times?: number } = {}): Promise<void> {
    this.#listener.rules.repeatStores(filter, times);
  }

  async append(what: PartitionName & { events: readonly RawEvent[]; enqueuedTime?: number }): Promise<number> {
    const log = this.#partition(what);
    const first = log.next;
    log.append(
      what.events.map((event) => sentMessage(encodedMessage(event))),
      what.enqueuedTime,
    );
    this.#listener.serve(log);
    return first;
  }

  async trim(what: PartitionName & { before: number }): Promise<number> {
    const log = this.#partition(what);
    log.trim(what.before);
    return log.begin;
  }

  async recreate({ hub: name }: { hub: string }): Promise<void> {
    this.#hub(name).recreate();
    await this.detach({ hub: name, condition: condition.notFound });
  }

  #hub(name: string): Hub {
    const hub = hubNamed(this.#hubs, name);
    if (hub === undefined) throw new RangeError(`there is no hub ${name}`);
    return hub;
  }

  #partition({ hub, partition }: PartitionName): PartitionLog {
    const log = this.#hub(hub).partition(partition);
    if (log === undefined) throw new RangeError(`${hub} has no partition ${partition}`);
    return log;
  }
}

function nodes(node: RequestNode | undefined): readonly RequestNode[] {
  return node === undefined ? ['$cbs', '$management'] : [node];
}

/** Without members that are undefined, which JSON does not have. */
function present(facts: {
  kind: 'receive' | 'send';
  hub: string;
  partition: string | undefined;
  group: string | undefined;
  identifier: string | undefined;
}): LinkState {
  const { kind, hub, partition, group, identifier } = facts;
  return {
    kind,
    hub,
    ...(partition === undefined ? {} : { partition }),
    ...(group === undefined ? {} : { group }),
    ...(identifier === undefined ? {} : { identifier }),
  };
}

function hubState({ name, groups, partitions }: Hub): HubState {
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
