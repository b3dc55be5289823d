import type { Delivery, StreamLog } from '@aorta/connectors';
import { type HeaderFacts, readHeaders } from '@aorta/connectors/sources';
import { isAortaError } from '@aorta/runtime';
import {
  causesDeadLetter,
  type DeadLetter,
  type EventStream,
  isObject,
  type ReadResult,
  type Receipt,
  type RefusedPart,
  readEvent,
} from '@aorta/schemas';
import { type BodyMark, measureBody, parseBody, parseExactly, uncompress } from './body.ts';
import {
  type DeadReason,
  deadLetter,
  identify,
  memberText,
  namedEventType,
  type RefusalFacts,
  receiptOf,
  type Stage,
  wholeRecord,
} from './delivery-record.ts';
import type { Classification } from './redelivery-window/entry.ts';
import type { RedeliveryWindow, Sighting } from './redelivery-window/window.ts';
import type { Router } from './router.ts';
import type { Outcome, Taken } from './tally.ts';

/** Converts a parsed body into a record of a stream, like `readEvent` in `schemas`. */
export type ReadEvent = <S extends EventStream>(stream: S, eventType: string, body: unknown, receipt: Receipt) => ReadResult<S>;

export interface ChainOptions {
  readonly log: Pick<StreamLog, 'append'>;
  readonly window: Pick<RedeliveryWindow, 'classify'>;
  readonly router: Router;
  /** Maximum size of an uncompressed body in bytes. */
  readonly bodyBytes: number;
  readonly read?: ReadEvent;
  /** Called with each dead letter and its delivery. */
  readonly onDeadLetter?: (delivery: Delivery, letter: DeadLetter) => void;
}

/**
 * Reason for refusing a part with a number that a double cannot represent. The chain then reads the body again, with such
 * numbers as strings.
 */
const INEXACT = 'number_not_exact';

/**
 * Creates the chain that processes every delivery. The chain checks the redelivery window, decompresses and parses the
 * body, chooses a stream, reads the body as a record of that stream, and appends the record. The chain is synchronous. If a
 * step fails, the delivery becomes a dead letter. The chain throws only if the log cannot append at all. It then throws an
 * AortaError of the class `setup`, and the delivery counts as not accepted.
 */
export function createChain(options: ChainOptions): (delivery: Delivery) => Taken {
  const chain = new Chain(options);
  return (delivery) => chain.take(delivery);
}

/** A delivery that is passing through the chain, with the results of the steps so far. */
interface Passage {
  readonly delivery: Delivery;
  readonly headers: HeaderFacts;
  readonly mark: BodyMark;
  readonly receipt: Receipt;
  stage: Stage;
  classified: Classification;
  body: unknown;
}

/** Returns the facts that the redelivery window needs about a delivery. */
function sightingOf(delivery: Delivery, headers: HeaderFacts, mark: BodyMark): Sighting {
  return {
    source: delivery.source,
    partition: delivery.partition,
    offset: delivery.offset,
    receivedAt: delivery.receivedAt,
    userId: headers.userId,
    eventType: headers.eventType,
    deliveryId: headers.deliveryId,
    bytes: mark.bytes,
    crc32: mark.crc32,
  };
}

/** Returns the reason and place for a dead letter if the headers and the body name different event types or users. */
function disagreementOf(headers: HeaderFacts, body: object): { reason: DeadReason; place: string } | undefined {
  const eventType = headers.eventType === null ? null : namedEventType(body);
  if (eventType !== null && eventType !== headers.eventType) return { reason: 'event_type_disagrees', place: 'event_type' };
  const userId = headers.userId === null ? null : memberText(body, 'user_id');
  if (userId !== null && userId !== headers.userId) return { reason: 'user_disagrees', place: 'user_id' };
  return undefined;
}

/** Returns a function that adds an earlier delivery to the redelivery window, without appending anything. */
export function rememberIn(window: Pick<RedeliveryWindow, 'classify'>): (delivery: Delivery) => void {
  return (delivery) => {
    window.classify(sightingOf(delivery, readHeaders(delivery.headers), measureBody(delivery.body, delivery.inline)));
  };
}

/**
 * The steps of the chain, in order. A step either decides the outcome, or stores its results in the {@link Passage} for the
 * next step.
 */
class Chain {
  readonly #log: ChainOptions['log'];
  readonly #window: ChainOptions['window'];
  readonly #router: Router;
  readonly #bodyBytes: number;
  readonly #readEvent: ReadEvent;
  readonly #onDeadLetter: ChainOptions['onDeadLetter'];

  constructor({ log, window, router, bodyBytes, read, onDeadLetter }: ChainOptions) {
    this.#log = log;
    this.#window = window;
    this.#router = router;
    this.#bodyBytes = bodyBytes;
    this.#readEvent = read ?? readEvent;
    this.#onDeadLetter = onDeadLetter;
  }

  take(delivery: Delivery): Taken {
    const passage = enter(delivery);
    try {
      return this.#receive(passage);
    } catch (error) {
      // A setup error from the log affects every delivery, so it is thrown. Any other exception affects only this delivery,
      // and its message may quote a value.
      if (isAortaError(error) && error.class === 'setup') throw error;
      return this.#refuse(passage, passage.stage === 'encode' ? 'not_encodable' : 'AORTA-BUG');
    }
  }

  #receive(passage: Passage): Taken {
    const { delivery, headers, mark, receipt } = passage;
    const { malformed } = delivery;
    if (malformed !== undefined) return this.#refuse(passage, malformed === true ? 'not_a_delivery' : malformed);
    passage.classified = this.#window.classify(sightingOf(delivery, headers, mark));
    if (passage.classified === 'redelivered') {
      this.#log.append('redelivered', wholeRecord('redelivered', delivery, receipt, identify(headers, undefined)));
      return taken(passage, { kind: 'redelivered' });
    }
    const unreadable = this.#parse(passage);
    if (unreadable !== undefined) return this.#refuse(passage, unreadable);
    const { body } = passage;
    if (!isObject(body)) return this.#refuse(passage, 'not_an_event');
    return this.#route(passage, body);
  }

  /** Decompresses and parses the body. Returns a reason if that fails. */
  #parse(passage: Passage): DeadReason | undefined {
    const { delivery, headers } = passage;
    passage.stage = 'decompress';
    const bytes = uncompress(delivery.body, delivery.inline, headers.gzip, this.#bodyBytes);
    if (typeof bytes === 'string') return bytes;
    passage.stage = 'parse';
    const parsed = parseBody(bytes);
    if (typeof parsed === 'string') return parsed;
    passage.body = parsed.json;
    return undefined;
  }

  #route(passage: Passage, body: object): Taken {
    passage.stage = 'route';
    const { delivery, headers, receipt } = passage;
    const disagreement = disagreementOf(headers, body);
    if (disagreement !== undefined) return this.#refuse(passage, disagreement.reason, disagreement.place);
    const eventType = headers.eventType ?? namedEventType(body);
    if (eventType === null) return this.#refuse(passage, 'no_event_type', 'event_type');
    const stream = this.#router(eventType);
    if (stream === 'unrouted') {
      this.#log.append('unrouted', wholeRecord('unrouted', delivery, receipt, identify(headers, body)));
      return taken(passage, { kind: 'unrouted' });
    }
    return this.#keep(passage, stream, eventType, body);
  }

  /** Appends the body as a record of `stream`. The type parameter ensures that the record matches the stream. */
  #keep<S extends EventStream>(passage: Passage, stream: S, eventType: string, body: object): Taken {
    passage.stage = 'read';
    const reading = this.#read(passage, stream, eventType, body);
    if (reading.kind === 'refused') return this.#refuse(passage, reading.reason, reading.place);
    passage.stage = 'encode';
    this.#log.append(stream, reading.record);
    this.#writeRefusedParts(passage, reading.refused);
    return taken(passage, { kind: 'kept', stream, refused: reading.refused });
  }

  /** Reads the body. If it contains a number that a double cannot represent, reads it again with such numbers as strings. */
  #read<S extends EventStream>(
    { delivery, headers, receipt }: Passage,
    stream: S,
    eventType: string,
    body: object,
  ): ReadResult<S> {
    const reading = this.#readEvent(stream, eventType, namingUser(body, headers), receipt);
    if (!isInexact(reading)) return reading;
    const bytes = uncompress(delivery.body, delivery.inline, headers.gzip, this.#bodyBytes) as Buffer;
    const exact = parseExactly(bytes);
    return exact === undefined ? reading : this.#readEvent(stream, eventType, namingUser(exact as object, headers), receipt);
  }

  /** Writes one dead letter for the refused parts of a kept delivery, except parts that are still in the record. */
  #writeRefusedParts(passage: Passage, refused: readonly RefusedPart[]): void {
    const parts = refused.filter(({ reason }) => causesDeadLetter(reason));
    if (parts.length > 0) {
      const places = parts.map(({ place }) => place).filter((place) => place !== '');
      this.#writeDeadLetter(passage, { reason: parts[0]!.reason, stage: 'read', scope: 'part', places });
    }
  }

  /** Turns the whole delivery into a dead letter. */
  #refuse(passage: Passage, reason: DeadReason, place?: string): Taken {
    const places = place === undefined || place === '' ? [] : [place];
    this.#writeDeadLetter(passage, { reason, stage: passage.stage, scope: 'whole', places });
    return taken(passage, { kind: 'dead', reason });
  }

  #writeDeadLetter({ delivery, receipt, headers, body }: Passage, verdict: RefusalFacts): void {
    const letter = deadLetter(delivery, receipt, identify(headers, body), verdict);
    this.#log.append('dead_letters', letter);
    this.#onDeadLetter?.(delivery, letter);
  }
}

/** Creates the state of a delivery's passage through the chain. */
function enter(delivery: Delivery): Passage {
  const headers = readHeaders(delivery.headers);
  const mark = measureBody(delivery.body, delivery.inline);
  const receipt = receiptOf(delivery, headers, mark);
  return { delivery, headers, mark, receipt, stage: 'receive', classified: 'new', body: undefined };
}

/** Adds the user from the headers to a body without a user, because the redelivery window uses the user from the headers. */
function namingUser(body: object, headers: HeaderFacts): object {
  const { user_id: named } = body as { user_id?: unknown };
  return headers.userId !== null && (named === undefined || named === null) ? { ...body, user_id: headers.userId } : body;
}

function taken({ classified }: Passage, outcome: Outcome): Taken {
  return { outcome, conflict: classified === 'same-id-other-body' };
}

/** Returns whether the body, or a part of it, was refused because a double cannot represent a number. */
function isInexact(reading: ReadResult): boolean {
  return reading.kind === 'refused' ? reading.reason === INEXACT : reading.refused.some(isInexactPart);
}

const isInexactPart = ({ reason }: { readonly reason: DeadReason }): boolean => reason === INEXACT;
