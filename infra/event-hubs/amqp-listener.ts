import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import rhea, { type Connection, type Container, type EventContext, type link as Link, type Receiver, type Sender } from 'rhea';
import { cbsAddress, putToken } from './cbs.ts';
import { Claims } from './claims.ts';
import { type AmqpCondition, condition, listenMissing } from './conditions.ts';
import { Connections } from './connections.ts';
import { type Hubs, receiveEntity, sendEntity } from './entity.ts';
import { FaultRules, type LinkFacts } from './fault-rules.ts';
import { isManagement, readEntity } from './management.ts';
import { admission, stolenBy } from './owner-level.ts';
import type { PartitionLog } from './partition-log.ts';
import { Policy } from './policy.ts';
import { ownerLevel, ReceiveLink, wantedPosition } from './receive-link.ts';
import { answer } from './request-response.ts';
import type { SharedAccessKey } from './sas.ts';
import { mostBytes, SendLink } from './send-link.ts';
import { acceptWebSockets } from './web-sockets.ts';

export interface Counts {
  stored: number;
  delivered: number;
  tokens: number;
  reads: number;
  attaches: number;
  stolen: number;
  connections: number;
}

/**
 * The idle timeout, in milliseconds, that the server announces. The real service announces the same value. Either side
 * closes a connection that has been silent for twice this time.
 */
const idleTimeOut = 240_000;

/** rhea's error events. The links already handle these errors, but rhea prints them if they have no listener. */
const clientErrors = ['connection_error', 'session_error', 'receiver_error', 'sender_error', 'protocol_error', 'error'];

function claimMissing(entity: string): AmqpCondition {
  const description = `Unauthorized access. A claim is required to perform this operation. Resource: '${entity}'.`;
  return { condition: condition.unauthorized, description };
}

function identifierOf(link: Link): string | undefined {
  const name: unknown = link.properties?.['com.microsoft:receiver-name'];
  return typeof name === 'string' ? name : undefined;
}

/** The AMQP server: accepts connections and attaches links to hubs. */
export class AmqpListener {
  readonly rules = new FaultRules();
  readonly connections = new Connections();
  readonly receiveLinks = new Set<ReceiveLink>();
  readonly sendLinks = new Set<SendLink>();
  readonly counts: Counts = { stored: 0, delivered: 0, tokens: 0, reads: 0, attaches: 0, stolen: 0, connections: 0 };
  readonly policy: Policy;
  readonly claims = new Claims();
  readonly #hubs: Hubs;
  readonly #sendersSetTimes: boolean;
  readonly #container: Container;
  #server: Server | undefined;

  constructor(hubs: Hubs, { key, sendersSetTimes }: { readonly key: SharedAccessKey; readonly sendersSetTimes: boolean }) {
    this.#hubs = hubs;
    this.#sendersSetTimes = sendersSetTimes;
    this.policy = new Policy(key);
    this.#container = rhea.create_container({ id: 'aorta-event-hubs' });
    const mechanisms = this.#container.sasl_server_mechanisms;
    mechanisms.enable_anonymous();
    // Official clients for some languages request this mechanism by name, but still send the claim through $cbs.
    mechanisms.MSSBCBS = mechanisms.ANONYMOUS;
    for (const name of clientErrors) this.#container.on(name, () => {});
    this.#container.on('connection_open', ({ connection }: EventContext) => {
      this.counts.connections++;
      this.connections.add(connection);
    });
    for (const name of ['connection_close', 'disconnected'])
      this.#container.on(name, ({ connection }: EventContext) => this.#drop(connection));
    // AMQP refuses a link by attaching it first and then detaching it with the reason.
    this.#container.on('sender_open', ({ sender }: EventContext) => {
      const refused = this.#attachReceiving(sender!);
      if (refused !== undefined) sender!.close({ ...refused });
    });
    this.#container.on('receiver_open', ({ receiver }: EventContext) => {
      const refused = this.#attachSending(receiver!);
      if (refused !== undefined) receiver!.close({ ...refused });
    });
    this.#container.on('message', (context: EventContext) => this.#request(context));
  }

  /** Listens on 127.0.0.1 and resolves with the port. Rejects if the port is in use. */
  async listen(port: number): Promise<number> {
    const limit = { max_message_size: mostBytes };
    const options = {
      max_frame_size: 65_536,
      channel_max: 4999,
      idle_time_out: idleTimeOut,
      tcp_no_delay: true,
      receiver_options: { ...limit, autoaccept: false, credit_window: 1000 },
      // Deliveries are settled when they are sent. Clients accept an event before the application gets it, so an
      // acknowledgement would mean nothing.
      sender_options: { ...limit, snd_settle_mode: 1 },
    };
    const server = this.#container.listen({ port, host: '127.0.0.1', ...options } as Parameters<Container['listen']>[0]);
    this.#server = server;
    acceptWebSockets(server, this.#container, options);
    server.on('connection', (socket) => this.connections.addSocket(socket));
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  /** Closes the port and all connections cleanly, as a gateway does when it shuts down. */
  async stop(): Promise<void> {
    const closed = this.#closePort();
    this.connections.thaw();
    this.connections.close();
    await this.connections.drained(500);
    await closed;
  }

  /** Closes the port and resets all connections, as if the server had crashed. */
  async kill(): Promise<void> {
    const closed = this.#closePort();
    this.connections.reset();
    await closed;
  }

  async #closePort(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    await new Promise((resolve) => server.close(resolve));
  }

  #drop(connection: Connection): void {
    this.connections.delete(connection);
    for (const link of this.receiveLinks) {
      if (link.sender.connection !== connection) continue;
      link.drop();
      this.receiveLinks.delete(link);
    }
    for (const link of this.sendLinks) if (link.receiver.connection === connection) this.sendLinks.delete(link);
  }

  /** Attaches a link on which the client receives events from this server. Returns the reason if the link is refused. */
  #attachReceiving(sender: Sender): AmqpCondition | undefined {
    const address = sender.source?.address ?? '';
    if (sender.source) sender.set_source(sender.source);
    if (sender.target) sender.set_target(sender.target);
    if (address === cbsAddress || isManagement(address)) return undefined;
    this.counts.attaches++;
    if (!this.claims.allow(sender.connection, address)) return claimMissing(address);
    if (!this.policy.listens) return listenMissing(address);
    const found = receiveEntity(this.#hubs, address);
    if ('refused' in found) return found.refused;
    const { hub, group, partition } = found.entity;
    const identifier = identifierOf(sender);
    const facts: LinkFacts = { kind: 'receive', hub: hub.name, partition: partition.id, group, identifier };
    const fault = this.rules.refusal(facts);
    if (fault !== undefined) return fault;
    const position = wantedPosition(sender);
    const start = position === undefined ? { refused: 'The supplied filter is invalid.' } : partition.seek(position);
    if ('refused' in start) return { condition: condition.argument, description: start.refused };
    const readers = [...this.receiveLinks].filter((link) => link.log === partition && link.facts.group === group);
    const levels = readers.map(({ level }) => level);
    const admitted = admission(levels, ownerLevel(sender));
    if ('refused' in admitted) return admitted.refused;
    if (admitted.steals) for (const reader of readers) this.#steal(reader, ownerLevel(sender));
    this.#receive(sender, partition, start.next, facts);
    return undefined;
  }

  #receive(sender: Sender, log: PartitionLog, next: number, facts: LinkFacts): void {
    const link: ReceiveLink = new ReceiveLink(sender, {
      log,
      next,
      facts,
      rules: this.rules,
      onDelivered: (events) => {
        this.counts.delivered += events;
      },
      onEnd: () => this.receiveLinks.delete(link),
    });
    this.receiveLinks.add(link);
  }

  #steal(reader: ReceiveLink, level: number | undefined): void {
    this.counts.stolen++;
    this.detach(reader, stolenBy(level));
  }

  detach(link: ReceiveLink | SendLink, error: AmqpCondition): void {
    if (link instanceof ReceiveLink) this.receiveLinks.delete(link);
    else this.sendLinks.delete(link);
    link.detach(error);
  }

  /** Attaches a link on which the client sends events to this server. Returns the reason if the link is refused. */
  #attachSending(receiver: Receiver): AmqpCondition | undefined {
    const address = receiver.target?.address ?? '';
    if (receiver.source) receiver.set_source(receiver.source);
    if (receiver.target) receiver.set_target(receiver.target);
    if (address === cbsAddress || isManagement(address)) return undefined;
    this.counts.attaches++;
    if (!this.claims.allow(receiver.connection, address)) return claimMissing(address);
    const found = sendEntity(this.#hubs, address);
    if ('refused' in found) return found.refused;
    const { hub, partition } = found.entity;
    const identifier = identifierOf(receiver);
    const facts: LinkFacts = { kind: 'send', hub: hub.name, partition: partition?.id, group: undefined, identifier };
    const fault = this.rules.refusal(facts);
    if (fault !== undefined) return fault;
    const link: SendLink = new SendLink(receiver, {
      entity: found.entity,
      facts,
      rules: this.rules,
      setsTimes: this.#sendersSetTimes,
      onStored: (log, events) => {
        this.counts.stored += events;
        this.serve(log);
      },
      onEnd: () => this.sendLinks.delete(link),
    });
    this.sendLinks.add(link);
    return undefined;
  }

  /** Delivers the new events of a partition to the partition's readers. */
  serve(log: PartitionLog): void {
    for (const link of this.receiveLinks) if (link.log === log) link.serve();
  }

  #request(context: EventContext): void {
    const address = context.receiver!.target.address;
    const given = { hubs: this.#hubs, policy: this.policy, claims: this.claims };
    if (address === cbsAddress) {
      this.counts.tokens++;
      context.delivery!.accept();
      if (!this.rules.isMuted('$cbs')) answer(context, putToken(context, given));
    } else if (isManagement(address)) {
      this.counts.reads++;
      context.delivery!.accept();
      if (!this.rules.isMuted('$management')) answer(context, readEntity(context, given));
    }
  }
}
