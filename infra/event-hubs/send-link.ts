import rhea, { type EventContext, type Receiver } from 'rhea';
import { type AmqpCondition, condition } from './conditions.ts';
import type { FaultRules, LinkFacts } from './fault-rules.ts';
import type { SendEntity } from './hub.ts';
import { binaryAt, MalformedMessage, section, sectionsOf } from './message-sections.ts';
import type { PartitionLog } from './partition-log.ts';
import { type SentMessage, sentMessage } from './stored-message.ts';

/** Maximum size of a batch, in bytes. The limit is the same for every tier of the service. */
export const mostBytes = 1024 * 1024;

/** The AMQP message format of a batch, which is an envelope whose data sections are whole messages. */
const batchFormat = 0x80013700;

/**
 * Returns the events in a batch. An event without a partition key gets the partition key of the envelope. Throws
 * {@link MalformedMessage} if the envelope or an event is not a valid message.
 */
function batchOf(envelope: Buffer, setsTimes: boolean): SentMessage[] {
  const messages: SentMessage[] = [];
  const { partitionKey } = sentMessage(envelope);
  for (const { code, value } of sectionsOf(envelope)) {
    if (code !== section.data) continue;
    const message = sentMessage(binaryAt(envelope, value), setsTimes);
    messages.push(message.partitionKey === undefined ? { ...message, partitionKey } : message);
  }
  return messages;
}

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

/**
 * Hashes a partition key to a signed 16-bit number. Computes Jenkins' lookup3 hash of the UTF-8 bytes, XORs its two
 * halves, and truncates the result. The official buffered producer selects partitions itself, so both must compute the
 * same hash. Otherwise, events with the same key could go to different partitions.
 */
function partitionKeyHash(key: string): number {
  const bytes = Buffer.from(key, 'utf8');
  if (bytes.length === 0) return 0;
  const words = Buffer.alloc(Math.ceil(bytes.length / 12) * 12);
  bytes.copy(words);
  let a = (0xdeadbeef + bytes.length) | 0;
  let b = a;
  let c = a;
  let at = 0;
  const take = () => {
    a = (a + words.readInt32LE(at)) | 0;
    b = (b + words.readInt32LE(at + 4)) | 0;
    c = (c + words.readInt32LE(at + 8)) | 0;
    at += 12;
  };
  while (bytes.length - at > 12) {
    take();
    a = (a - c) ^ rotate(c, 4);
    c = (c + b) | 0;
    b = (b - a) ^ rotate(a, 6);
    a = (a + c) | 0;
    c = (c - b) ^ rotate(b, 8);
    b = (b + a) | 0;
    a = (a - c) ^ rotate(c, 16);
    c = (c + b) | 0;
    b = (b - a) ^ rotate(a, 19);
    a = (a + c) | 0;
    c = (c - b) ^ rotate(b, 4);
    b = (b + a) | 0;
  }
  take();
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  c = ((c ^ b) - rotate(b, 24)) | 0;
  return ((c ^ b) << 16) >> 16;
}

/** Returns the partition of a key, from 0 to `partitions` - 1. */
export function partitionOfKey(key: string, partitions: number): number {
  return Math.abs(partitionKeyHash(key) % partitions);
}

interface SendLinkOptions {
  readonly entity: SendEntity;
  readonly facts: LinkFacts;
  readonly rules: FaultRules;
  /** Whether the sender chooses the enqueued times of its events. */
  readonly setsTimes: boolean;
  readonly onStored: (log: PartitionLog, events: number) => void;
  /** Called when the client detaches the link. */
  readonly onEnd: () => void;
}

interface Stored {
  readonly log: PartitionLog;
  readonly events: number;
}

/** A producer's link. Accepts a message only after storing it. */
export class SendLink {
  readonly facts: LinkFacts;
  readonly receiver: Receiver;
  readonly #entity: SendEntity;
  readonly #rules: FaultRules;
  readonly #setsTimes: boolean;
  readonly #onStored: (log: PartitionLog, events: number) => void;

  constructor(receiver: Receiver, given: SendLinkOptions) {
    this.receiver = receiver;
    this.facts = given.facts;
    this.#entity = given.entity;
    this.#rules = given.rules;
    this.#setsTimes = given.setsTimes;
    this.#onStored = given.onStored;
    receiver.on('receiver_close', given.onEnd);
    receiver.on('receiver_error', given.onEnd);
    receiver.on('message', (context: EventContext & { format?: number }) => {
      const stored = this.#store(context);
      if ('refused' in stored) return context.delivery!.reject({ ...stored.refused });
      context.delivery!.accept();
      return this.#onStored(stored.log, stored.events);
    });
  }

  detach(error: AmqpCondition): void {
    this.receiver.close({ ...error });
  }

  #store({ message, format, delivery }: EventContext & { format?: number }): Stored | { refused: AmqpCondition } {
    // rhea decodes messages with format 0, and passes on all other messages as bytes.
    const bytes = Buffer.isBuffer(message) ? message : (rhea.message.encode(message!) as Buffer);
    if (bytes.length > mostBytes) {
      const description = `The received message (delivery-id:${delivery!.id}, size:${bytes.length} bytes) exceeds the limit (${mostBytes} bytes) currently allowed on the link.`;
      return { refused: { condition: condition.messageSize, description } };
    }
    let messages: readonly SentMessage[];
    try {
      messages = format === batchFormat ? batchOf(bytes, this.#setsTimes) : [sentMessage(bytes, this.#setsTimes)];
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      return { refused: { condition: condition.decode, description: error.message } };
    }
    const log = this.#partitionFor(messages);
    try {
      log.append(messages);
      if (this.#rules.takeRepeatedStore(this.facts)) log.append(messages);
    } catch {
      return { refused: { condition: condition.internal, description: 'The partition could not be written.' } };
    }
    return { log, events: messages.length };
  }

  #partitionFor(messages: readonly SentMessage[]): PartitionLog {
    const { hub, partition } = this.#entity;
    if (partition !== undefined) return partition;
    const key = messages[0]?.partitionKey;
    return key === undefined ? hub.nextPartition() : hub.partitions[partitionOfKey(key.text, hub.partitions.length)]!;
  }
}
