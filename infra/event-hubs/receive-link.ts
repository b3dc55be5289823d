import type { EventContext, Sender, Session } from 'rhea';
import type { AmqpCondition } from './conditions.ts';
import type { FaultRules, LinkFacts } from './fault-rules.ts';
import type { PartitionLog } from './partition-log.ts';
import { type StartPosition, startPosition } from './start-position.ts';
import { withRuntimeMetrics } from './stored-message.ts';

/** What rhea knows and its typings leave out: credit, and the deliveries of a session that are not on the wire yet. */
type Credited = Sender & { readonly credit: number };
type Windowed = Session & {
  readonly outgoing: { readonly next_delivery_id: number; readonly next_pending_delivery: number; available(): number };
};

/** Deliveries in one turn of the event loop, so that other links get theirs. */
const mostPerTurn = 256;
/** Deliveries are settled when they are sent, so that no tag is ever looked up. */
const tag = Buffer.from([0]);

/** Where a client asks to begin; undefined where its selector is none that the service knows. */
export function wantedPosition(sender: Sender): StartPosition | undefined {
  const filter: unknown = sender.source?.filter?.['apache.org:selector-filter:string'];
  const value = typeof filter === 'object' && filter !== null && 'value' in filter ? filter.value : filter;
  return startPosition(value === undefined || value === null ? undefined : String(value));
}

/** The owner level of a receiving client; undefined where it has none. */
export function ownerLevel(sender: Sender): number | undefined {
  const epoch: unknown = sender.properties?.['com.microsoft:epoch'];
  return epoch === undefined || epoch === null ? undefined : Number(epoch);
}

function wantsRuntimeMetrics(sender: Sender): boolean {
  return [sender.desired_capabilities ?? []].flat().map(String).includes('com.microsoft:enable-receiver-runtime-metric');
}

interface ReceiveLinkOptions {
  readonly log: PartitionLog;
  /** sequence number of the first delivery */
  readonly next: number;
  readonly facts: LinkFacts;
  readonly rules: FaultRules;
  readonly onDelivered: (events: number) => void;
  /** The client detached it. */
  readonly onEnd: () => void;
}

/** A reader: one link on which one partition is delivered, settled, in the order of its sequence numbers. */
export class ReceiveLink {
  readonly facts: LinkFacts;
  readonly level: number | undefined;
  readonly log: PartitionLog;
  readonly sender: Sender;
  /** sequence number of the next delivery */
  next: number;
  /** Nothing is served any more, and the client is not told: the half-open case. */
  stalled = false;
  readonly #rules: FaultRules;
  readonly #metrics: boolean;
  readonly #onDelivered: (events: number) => void;
  #open = true;
  #turn = false;

  constructor(sender: Sender, given: ReceiveLinkOptions) {
    this.sender = sender;
    this.log = given.log;
    this.next = given.next;
    this.facts = given.facts;
    this.level = ownerLevel(sender);
    this.#rules = given.rules;
    this.#metrics = wantsRuntimeMetrics(sender);
    this.#onDelivered = given.onDelivered;
    sender.on('sendable', () => this.serve());
    sender.on('sender_draining', ({ sender: drained }: EventContext) => {
      this.serve();
      if (this.next >= this.log.next) drained!.set_drained(true);
    });
    const end = () => {
      this.#open = false;
      given.onEnd();
    };
    sender.on('sender_close', end);
    sender.on('sender_error', end);
  }

  get credit(): number {
    return (this.sender as Credited).credit;
  }

  /** Detaches the link with an error. */
  detach(error: AmqpCondition): void {
    this.#open = false;
    this.sender.close({ ...error });
  }

  /** The connection is gone. */
  drop(): void {
    this.#open = false;
  }

  /** Delivers what waits and has credit. Called whenever something is stored, or the client gives credit. */
  serve(): void {
    if (this.#turn || !this.#open || this.stalled || !this.#ready()) return;
    this.#turn = true;
    const delay = this.#rules.delayOf(this.facts);
    if (delay === 0) this.#deliver();
    else setTimeout(() => this.#deliver(), delay).unref();
  }

  #ready(): boolean {
    return this.next < this.log.next && this.#room() > 0 && this.sender.is_open();
  }

  /** How many deliveries rhea takes now: it buffers 2048 a session and throws at one more, and takes credit off only when it writes. */
  #room(): number {
    const { outgoing } = this.sender.session as Windowed;
    const unwritten = outgoing.next_delivery_id - outgoing.next_pending_delivery;
    return Math.min(this.credit - unwritten, outgoing.available());
  }

  #deliver(): void {
    const { socket } = this.sender.connection;
    // rhea writes each frame by itself; together they are one call of the system.
    // A WebSocket has nothing to hold back.
    socket.cork?.();
    if (this.#open && !this.stalled) this.#fillTurn();
    // Credit is up to date when rhea has written, which it does on the next tick.
    setImmediate(() => {
      socket.uncork?.();
      this.#turn = false;
      this.serve();
    });
  }

  #fillTurn(): void {
    this.next = Math.max(this.next, this.log.begin);
    let room = Math.min(this.#room(), mostPerTurn);
    let delivered = 0;
    while (room > 0 && this.next < this.log.next) {
      this.#send(this.log.message(this.next));
      room--;
      delivered++;
      if (room > 0 && this.#rules.takeRepeatedDelivery(this.facts)) {
        this.#send(this.log.message(this.next));
        room--;
        delivered++;
      }
      this.next++;
    }
    this.#onDelivered(delivered);
  }

  #send(stored: Buffer): void {
    const { last } = this.log;
    // With a format given, rhea takes the bytes as they are.
    this.sender.send(this.#metrics ? withRuntimeMetrics(stored, { last, retrievedAt: Date.now() }) : stored, tag, 0);
  }
}
