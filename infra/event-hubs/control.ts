import * as machine from '@aorta/machine';
import type { AmqpListener } from './amqp-listener.ts';
import { type AmqpCondition, condition, entityNotFound, listenMissing } from './conditions.ts';
import { type LinkFilter, matches, type RequestNode } from './fault-rules.ts';
import { type Hub, type Hubs, hubNamed } from './hub.ts';
import type { PartitionLog } from './partition-log.ts';
import { hubState, type ServerState } from './server-state.ts';
import { encodedMessage, type RawEvent, sentMessage } from './stored-message.ts';

export interface PartitionName {
  readonly hub: string;
  readonly partition: string;
}

/** The AMQP error with which a fault refuses links, detaches links or closes connections. */
export interface SaidCondition {
  readonly condition?: string;
}

/**
 * Injects faults into a server and reads its state. In the server's process, use `EventHubsServer.faults`. In a different
 * process, use `controlClient`, which connects to the control port. If the arguments of a fault do not select a link, hub
 * or partition, the fault applies to all of them. Unless documented otherwise, the number that a method returns is the
 * number of links, connections or sockets that the fault affected.
 */
export interface EventHubsControl {
  state(): Promise<ServerState>;
  /** Detaches links, by default with `amqp:link:detach-forced`. The clients may attach new links immediately. */
  detach(where?: LinkFilter & SaidCondition): Promise<number>;
  /** Closes all connections, by default with `amqp:connection:forced`. */
  close(how?: SaidCondition): Promise<number>;
  reset(): Promise<number>;
  /** Blocks all traffic in both directions until `thaw` is called. With `newConnections`, also blocks later connections. */
  freeze(how?: { readonly newConnections?: boolean }): Promise<number>;
  thaw(): Promise<number>;
  /** Stops answering requests to a node until `unmute` is called. Default: both `$cbs` and `$management`. */
  mute(what?: { readonly node?: RequestNode }): Promise<void>;
  unmute(what?: { readonly node?: RequestNode }): Promise<void>;
  /** Refuses new links, by default with `com.microsoft:server-busy`, for `forMs` milliseconds or until `admit` is called. */
  refuse(where?: LinkFilter & SaidCondition & { readonly forMs?: number }): Promise<void>;
  admit(): Promise<void>;
  /** Stops delivery on open receiving links without notifying their clients. Links that attach later are not affected. */
  stall(where?: LinkFilter): Promise<number>;
  /** Delays each round of at most 256 deliveries by `ms` milliseconds, until `undelay` is called. */
  delay(where: LinkFilter & { readonly ms: number }): Promise<void>;
  undelay(): Promise<void>;
  /** Sends each of the next `times` (default 1) events twice, with the same sequence number. */
  repeatDeliveries(where?: LinkFilter & { readonly times?: number }): Promise<void>;
  /**
   * Stores each of the next `times` (default 1) batches twice, as if a producer had not received the acknowledgement and
   * had sent the batch again.
   */
  repeatStores(where?: LinkFilter & { readonly times?: number }): Promise<void>;
  /** Stores events directly, without a client. Resolves with the sequence number of the first of these events. */
  append(what: PartitionName & { readonly events: readonly RawEvent[]; readonly enqueuedTime?: number }): Promise<number>;
  /** Drops the events before a sequence number, as retention does. Resolves with the first sequence number that remains. */
  trim(what: PartitionName & { readonly before: number }): Promise<number>;
  /** Deletes a hub and creates it again. The new hub is empty, its sequence numbers start at 0, and all links are detached. */
  recreate(what: { readonly hub: string }): Promise<void>;
  /** Replaces the policy's key and detaches all links. Without `key`, restores the key from the connection string. */
  rotateKey(what?: { readonly key?: string }): Promise<number>;
  /** Revokes the right to listen. Tokens are still accepted, but receiving links and management requests are refused. */
  revokeListen(): Promise<number>;
  grantListen(): Promise<void>;
  /** Deletes a hub, but keeps its events for `restoreHub`. */
  deleteHub(what: { readonly hub: string }): Promise<number>;
  /**
   * Restores a hub that `deleteHub` has deleted, with all its events. In the real service, a recreated hub is empty. To
   * simulate this, call `recreate` afterwards.
   */
  restoreHub(what: { readonly hub: string }): Promise<void>;
  deleteGroup(what: { readonly hub: string; readonly group: string }): Promise<number>;
  createGroup(what: { readonly hub: string; readonly group: string }): Promise<void>;
}

const said = 'This is an injected fault.';

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
      ...facts,
      ownerLevel: level,
      next,
      credit,
      stalled,
    }));
    return {
      hubs: [...this.#hubs.values()].filter(({ deleted }) => !deleted).map(hubState),
      links: [...receiving, ...[...sendLinks].map(({ facts }) => facts)],
      connections: connections.size,
      counts: { ...counts },
    };
  }

  async detach({ condition: name = condition.detachForced, ...filter }: LinkFilter & SaidCondition = {}): Promise<number> {
    return this.#detachAll(filter, { condition: name, description: said });
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

  async rotateKey({ key }: { key?: string } = {}): Promise<number> {
    const { policy, claims } = this.#listener;
    policy.rotate(key);
    claims.forgetAll();
    return this.#detachAll({}, listenMissing('the namespace'));
  }

  async revokeListen(): Promise<number> {
    this.#listener.policy.listens = false;
    return this.#detachAll({ kind: 'receive' }, listenMissing('the namespace'));
  }

  async grantListen(): Promise<void> {
    this.#listener.policy.listens = true;
  }

  async deleteHub({ hub: name }: { hub: string }): Promise<number> {
    this.#hub(name).deleted = true;
    return this.#detachAll({ hub: name }, entityNotFound(name));
  }

  async restoreHub({ hub: name }: { hub: string }): Promise<void> {
    const hub = this.#hubs.get(name.toLowerCase());
    if (hub === undefined) throw new RangeError(`there is no hub ${name} to restore`);
    hub.deleted = false;
  }

  async deleteGroup({ hub, group }: { hub: string; group: string }): Promise<number> {
    this.#hub(hub).deleteGroup(group);
    return this.#detachAll({ hub, group }, entityNotFound(`${hub}/ConsumerGroups/${group}`));
  }

  async createGroup({ hub, group }: { hub: string; group: string }): Promise<void> {
    this.#hub(hub).createGroup(group);
  }

  #detachAll(filter: LinkFilter, error: AmqpCondition): number {
    const { receiveLinks, sendLinks } = this.#listener;
    const links = [...receiveLinks, ...sendLinks].filter(({ facts }) => matches(filter, facts));
    for (const link of links) this.#listener.detach(link, error);
    return links.length;
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

export const commands = [
  'state',
  'detach',
  'close',
  'reset',
  'freeze',
  'thaw',
  'mute',
  'unmute',
  'refuse',
  'admit',
  'stall',
  'delay',
  'undelay',
  'repeatDeliveries',
  'repeatStores',
  'append',
  'trim',
  'recreate',
  'rotateKey',
  'revokeListen',
  'grantListen',
  'deleteHub',
  'restoreHub',
  'deleteGroup',
  'createGroup',
] as const satisfies readonly (keyof EventHubsControl)[];

/**
 * Returns a client that controls a server in a different process on this machine. A call rejects if the command fails or
 * the server is not running.
 */
export const controlClient = (controlPort: number): EventHubsControl => machine.controlClient(commands, controlPort);
