import type { EventContext, Sender, Session } from 'rhea';
import type { AmqpCondition } from './conditions.ts';
import type { FaultRules, LinkFacts } from './fault-rules.ts';
import { type PartitionLog, type StartPosition, startPosition } from './partition-log.ts';
import { withRuntimeMetrics } from './stored-message.ts';

/** Members that rhea's typings omit. They tell the credit of a link, and how many deliveries rhea has not written yet. */
type Credited = Sender & { readonly credit: number };
type Windowed = Session & {
  readonly outgoing: { readonly next_delivery_id: number; readonly next_pending_delivery: number; available(): number };
};

/** Maximum number of deliveries on one link per turn of the event loop. The limit lets other links deliver too. */
const mostPerTurn = 256;
/** The tag of every delivery. Deliveries are settled when they are sent, so the tag is never used. */
const tag = Buffer.from([0]);

/** Returns the start position that a client requests; undefined if the client's selector is invalid. */
export function wantedPosition(sender: Sender): StartPosition | undefined {
  const filter: unknown = sender.source?.filter?.['apache.org:selector-filter:string'];
  const value = typeof filter === 'object' && filter !== null && 'value' in filter ? filter.value : filter;
  return startPosition(value === undefined || value === null ? undefined : String(value));
}

/** Returns the owner level of a receiving client; undefined if the client has none. */
export function ownerLevel(sender: Sender): number | undefined {
  const epoch: unknown = sender.properties?.['com.microsoft:epoch'];
  return epoch === undefined || epoch === null ? undefined : Number(epoch);
}

function wantsRuntimeMetrics(sender: Sender): boolean {
  return [sender.desired_capabilities ?? []].flat().map(String).includes('com.microsoft:enable-receiver-runtime-metric');
}

interface ReceiveLinkOptions {
  readonly log: PartitionLog;
  /** sequence number of the first event to deliver */
  readonly next: number;
  readonly facts: LinkFacts;
  readonly rules: FaultRules;
  readonly onDelivered: (events: number) => void;
  /** Called when the client detaches the link. */
  readonly onEnd: () => void;
}

/** A reader's link. Delivers the events of one partition in the order of their sequence numbers. */
export class ReceiveLink {
  readonly facts: LinkFacts;
  readonly level: number | undefined;
  readonly log: PartitionLog;
  readonly sender: Sender;
  /** sequence number of the next delivery */
  next: number;
  /** Whether the link has stopped delivering without notifying the client, as on a half-open connection. */
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

  /** Stops delivery. Call this method when the connection is closed. */
  drop(): void {
    this.#open = false;
  }

  /**
   * Delivers stored events as far as the client's credit allows. Call this method when events are stored or the client
   * grants credit.
   */
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

  /**
   * Returns how many deliveries rhea can accept now. rhea throws if a session has more than 2048 unwritten deliveries,
   * and deducts credit only when it writes a delivery.
   */
  #room(): number {
    const { outgoing } = this.sender.session as Windowed;
    const unwritten = outgoing.next_delivery_id - outgoing.next_pending_delivery;
    return Math.min(this.credit - unwritten, outgoing.available());
  }

  #deliver(): void {
    const { socket } = this.sender.connection;
    // rhea writes each frame separately. Corking the socket joins the frames into one system call. A WebSocket has no `cork`.
    socket.cork?.();
    if (this.#open && !this.stalled) this.#fillTurn();
    // The credit is up to date only after rhea has written the deliveries, which it does on the next tick.
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
    // Because the last argument sets a message format, rhea sends the bytes unchanged.
    this.sender.send(this.#metrics ? withRuntimeMetrics(stored, { last, retrievedAt: Date.now() }) : stored, tag, 0);
  }
}
