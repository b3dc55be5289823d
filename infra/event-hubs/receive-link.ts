import type { EventContext, Sender, Session } from 'rhea';
import type { AmqpCondition } from './conditions.ts';
import type { FaultRules, LinkFacts } from './fault-rules.ts';
import type { PartitionLog } from './partition-log.ts';
import { type StartPosition, startPosition } from './start-position.ts';
import { withRuntimeMetrics } from './stored-message.ts';

/** Members that rhea's typings omit: a link's credit, and the deliveries of a session that are not written yet. */
type Credited = Sender & { readonly credit: number };
type Windowed = Session & {
  readonly outgoing: { readonly next_delivery_id: number; readonly next_pending_delivery: number; available(): number };
};

/** The most deliveries of one link in one turn of the event loop, so that other links get their turn. */
const mostPerTurn = 256;
/** The tag of every delivery. Deliveries are settled when sent, so no tag is ever looked up. */
const tag = Buffer.from([0]);

/** Returns the start position that a client requests; undefined if its selector is invalid. */
export function wantedPosition(sender: Sender): StartPosition | undefined {
  const filter: unknown = sender.source?.filter?.['apache.org:selector-filter:string'];
  const value = typeof filter === 'object' && filter !== null && 'value' in filter ? filter.value : filter;
  return startPosition(value === undefined || value === null ? undefined : String(value));
}

/** Returns the owner level of a receiving client; undefined if it has none. */
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
  /** Called when the client detaches the link. */
  readonly onEnd: () => void;
}

/** A reader's link. It delivers one partition in the order of sequence numbers. */
export class ReceiveLink {
  readonly facts: LinkFacts;
  readonly level: number | undefined;
  readonly log: PartitionLog;
  readonly sender: Sender;
  /** sequence number of the next delivery */
  next: number;
  /** Whether delivery has stopped without notice to the client, as on a half-open connection. */
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

  detach(error: AmqpCondition): void {
    this.#open = false;
    this.sender.close({ ...error });
  }

  /** Stops delivery, because the connection is gone. */
  drop(): void {
    this.#open = false;
  }

  /** Delivers stored events as far as the client's credit allows. Call it when events are stored or the client gives credit. */
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

  /** Returns how many deliveries rhea accepts. It throws beyond 2048 unwritten ones per session, and deducts credit only on writing. */
  #room(): number {
    const { outgoing } = this.sender.session as Windowed;
    const unwritten = outgoing.next_delivery_id - outgoing.next_pending_delivery;
    return Math.min(this.credit - unwritten, outgoing.available());
  }

  #deliver(): void {
    const { socket } = this.sender.connection;
    // rhea writes each frame separately; corking joins them into one system call. A WebSocket has no `cork`.
    socket.cork?.();
    if (this.#open && !this.stalled) this.#fillTurn();
    // Credit is up to date after rhea has written, which it does on the next tick.
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
    // If a format is given, rhea sends the bytes unchanged.
    this.sender.send(this.#metrics ? withRuntimeMetrics(stored, { last, retrievedAt: Date.now() }) : stored, tag, 0);
  }
}
