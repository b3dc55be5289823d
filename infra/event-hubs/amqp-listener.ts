import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { refusalOf } from '@aorta/runtime';
import rhea, { type Connection, type Container, type EventContext, type link as Link, type Receiver, type Sender } from 'rhea';
import { type WebSocket, WebSocketServer } from 'ws';
import { type AmqpCondition, condition, entityNotFound, listenMissing } from './conditions.ts';
import { Connections } from './connections.ts';
import { FaultRules, type LinkFacts } from './fault-rules.ts';
import { type Hubs, hubNamed, receiveEntity, sendEntity } from './hub.ts';
import { type Answer, answer, isManagement, readEntity, requestProperties } from './management.ts';
import type { PartitionLog } from './partition-log.ts';
import { ownerLevel, ReceiveLink, wantedPosition } from './receive-link.ts';
import { audiencePath, Claims, Policy, type SharedAccessKey, verifySas } from './sas.ts';
import { mostBytes, SendLink } from './send-link.ts';

const cbsAddress = '$cbs';

/** The path on which the service accepts AMQP over WebSockets. `PROTOCOL` is the subprotocol that clients request. */
const PATH = '/$servicebus/websocket';

const PROTOCOL = 'AMQPWSB10';

/** The first byte of a WebSocket request (`GET`). An AMQP connection begins with the bytes `AMQP`. */
const GET = 'G'.charCodeAt(0);

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

/** Maximum number of readers without an owner level on the same partition in the same consumer group. */
const mostReaders = 5;

/**
 * Returns whether a new reader may attach to a partition. `readers` lists the owner levels ("epochs") of the readers that
 * are already attached in the same consumer group. If the new reader is admitted and has a level, `steals` is true, and
 * the new reader displaces all others, even those with the same level.
 */
function admission(
  readers: readonly (number | undefined)[],
  level: number | undefined,
): { readonly steals: boolean } | { readonly refused: AmqpCondition } {
  const levels = readers.filter((other) => other !== undefined);
  const highest = levels.length === 0 ? undefined : Math.max(...levels);
  if (level === undefined && highest !== undefined)
    return refused(
      condition.stolen,
      `At least one receiver for the endpoint is created with epoch of '${highest}', and so non-epoch receiver is not allowed. Either reconnect with a higher epoch, or make sure all epoch receivers are closed or disconnected.`,
    );
  if (level === undefined && readers.length >= mostReaders)
    return refused(
      condition.resourceLimit,
      `Exceeded the maximum number of allowed receivers per partition in a consumer group which is ${mostReaders}.`,
    );
  if (level !== undefined && highest !== undefined && level < highest)
    return refused(
      condition.stolen,
      `Receiver with a higher epoch '${highest}' already exists. Receiver with epoch ${level} cannot be created. Make sure you are creating receiver with increasing epoch value to ensure connectivity, or ensure all old epoch receivers are closed or disconnected.`,
    );
  return { steals: level !== undefined };
}

function refused(name: string, description: string): { refused: AmqpCondition } {
  return { refused: { condition: name, description } };
}

/** Returns the error that a reader receives when a new reader with this owner level displaces it. */
function stolenBy(level: number | undefined): AmqpCondition {
  return {
    condition: condition.stolen,
    description: `New receiver with higher epoch of '${level}' is created hence current receiver is getting disconnected. If you are recreating the receiver, make sure a higher epoch is used.`,
  };
}

/** Answers a `put-token` request. If the token is valid, grants its claim to the client's connection. */
function putToken(context: EventContext, { hubs, policy, claims }: { hubs: Hubs; policy: Policy; claims: Claims }): Answer {
  const { operation, name, type } = requestProperties(context);
  if (operation !== 'put-token' || typeof name !== 'string')
    return {
      status: 400,
      refused: { condition: condition.argument, description: 'The request is not a put-token with a name.' },
    };
  if (type !== 'servicebus.windows.net:sastoken')
    return {
      status: 401,
      refused: { condition: condition.authFailed, description: 'This server accepts only shared access signatures.' },
    };
  const verified = verifySas(String(context.message!.body), name, policy, Date.now() / 1000);
  if ('refused' in verified) return { status: 401, refused: { condition: condition.authFailed, description: verified.refused } };
  const [hub = ''] = audiencePath(name).split('/');
  if (hubNamed(hubs, hub) === undefined) return { status: 404, refused: entityNotFound(name) };
  claims.put(context.connection, verified.claim);
  return { status: 202 };
}

/** A method that rhea's typings omit. */
type WebSocketContainer = Container & { websocket_accept(socket: WebSocket, options: object): void };

/** Makes the AMQP port accept WebSockets as well. The first byte from a client distinguishes the two protocols. */
function acceptWebSockets(
  server: Server,
  container: Container,
  { options, allowedHosts }: { readonly options: object; readonly allowedHosts: readonly string[] },
): void {
  const sockets = new WebSocketServer({
    noServer: true,
    path: PATH,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });
  sockets.on('connection', (socket) => (container as WebSocketContainer).websocket_accept(socket, options));
  const http = createServer((request, response) => {
    const refusal = refusalOf(request, allowedHosts);
    response.writeHead(refusal === undefined ? 426 : 403);
    response.end(`${refusal ?? 'This port accepts only AMQP and AMQP over WebSockets.'}\n`);
  });
  // A browser lets every page open WebSockets to every server.
  http.on('upgrade', (request, socket, head) => {
    const refusal = refusalOf(request, allowedHosts);
    if (refusal === undefined)
      sockets.handleUpgrade(request, socket, head, (accepted) => sockets.emit('connection', accepted, request));
    else socket.end(`HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: ${refusal.length}\r\n\r\n${refusal}`);
  });
  const [acceptAmqp] = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeListener('connection', acceptAmqp!);
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.once('readable', () => {
      const first = socket.read() as Buffer | null;
      if (first === null) return;
      socket.unshift(first);
      if (first[0] === GET) http.emit('connection', socket);
      else acceptAmqp!(socket);
    });
  });
}

interface ListenerOptions {
  readonly key: SharedAccessKey;
  readonly sendersSetTimes: boolean;
  /** names that WebSocket requests may have in `Host` and `Origin`, besides those of this machine */
  readonly allowedHosts: readonly string[];
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
  readonly #allowedHosts: readonly string[];
  readonly #container: Container;
  #server: Server | undefined;

  constructor(hubs: Hubs, { key, sendersSetTimes, allowedHosts }: ListenerOptions) {
    this.#hubs = hubs;
    this.#sendersSetTimes = sendersSetTimes;
    this.#allowedHosts = allowedHosts;
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
    acceptWebSockets(server, this.#container, { options, allowedHosts: this.#allowedHosts });
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
