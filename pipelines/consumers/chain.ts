import {
  type DeadLetter,
  type EventStream,
  type Reading,
  type Receipt,
  readEvent,
  type StreamName,
  type StreamRecords,
} from '@aorta/schemas';
import type { StreamLog } from '@aorta/streams';
import { isAortaError } from '@aorta/telemetry';
import { type BodyMark, measureBody, type Parsed, parseBody, parseExactly, uncompress } from './body.ts';
import type { Delivery } from './delivery.ts';
import { type HeaderFacts, readHeaders } from './headers.ts';
import { receiptOf } from './receipt.ts';
import type { Classification } from './redelivery-window/entry.ts';
import type { RedeliveryWindow, Sighting } from './redelivery-window/window.ts';
import type { Router } from './router.ts';
import type { Outcome } from './tally.ts';
import { type DeadReason, deadLetter, identify, memberText, namedEventType, type Stage, wholeRecord } from './whole-record.ts';

/** Reads a parsed body into the record of a stream, as `readEvent` of the schemas does. */
export type ReadEvent = (stream: EventStream, eventType: string, body: unknown, receipt: Receipt) => Reading;

export interface ChainOptions {
  readonly log: Pick<StreamLog, 'append'>;
  readonly window: Pick<RedeliveryWindow, 'classify'>;
  readonly router: Router;
  /** Most bytes of an uncompressed body. */
  readonly bodyBytes: number;
  readonly read?: ReadEvent;
  /** Hears of every dead letter. */
  readonly onDeadLetter?: (delivery: Delivery, letter: DeadLetter) => void;
}

/** What became of a delivery, and whether the window held its id with another body. */
export interface Taken {
  readonly outcome: Outcome;
  readonly conflict: boolean;
}

/** The place of a refused part that is no dead letter: the value is kept in `extra`. */
export const KEPT_IN_EXTRA = 'value_does_not_fit';
/** The reason of a part that is read again with its numbers as they are spelled. */
const INEXACT = 'number_not_exact';

/**
 * The chain of steps that every delivery takes: receive, redelivery window, decompress, parse, route, read, append.
 * Synchronous; whatever a delivery does to a step becomes a dead letter of that delivery. Throws only where the log
 * refuses to take anything (an AortaError), and then the delivery counts as not taken.
 */
export function createChain(options: ChainOptions): (delivery: Delivery) => Taken {
  const { log, window, router, bodyBytes, read = readEvent as unknown as ReadEvent } = options;
  const bury = (delivery: Delivery, letter: DeadLetter): void => {
    log.append('dead_letters', letter);
    options.onDeadLetter?.(delivery, letter);
  };

  return (handed) => {
    let delivery = handed;
    let parsed: Parsed | DeadReason | undefined;
    // A body whose extent was taken on trust is parsed first: only the right bytes may be measured.
    if (delivery.remeasure !== undefined) {
      parsed = parseInline(delivery, bodyBytes);
      if (typeof parsed === 'string') {
        delivery = delivery.remeasure();
        parsed = undefined;
      }
    }
    const headers = readHeaders(delivery.headers);
    const mark = measureBody(delivery.body, delivery.inline);
    const receipt = receiptOf(delivery, headers, mark);
    let stage: Stage = 'receive';
    let body: unknown;
    let classified: Classification = 'new';

    const taken = (outcome: Outcome): Taken => ({ outcome, conflict: classified === 'same-id-other-body' });
    const refuse = (reason: DeadReason, at: Stage, place?: string): Taken => {
      const places = place === undefined || place === '' ? [] : [place];
      // Whoever handed it over knows it by what it handed over.
      bury(handed, deadLetter(delivery, receipt, identify(headers, body), { reason, stage: at, scope: 'whole', places }));
      return taken({ kind: 'dead', reason });
    };

    try {
      if (delivery.malformed) return refuse('not_a_delivery', stage);
      classified = window.classify(sightingOf(delivery, headers, mark));
      if (classified === 'redelivered') {
        log.append('redelivered', wholeRecord('redelivered', delivery, receipt, identify(headers, undefined)));
        return taken({ kind: 'redelivered' });
      }

      stage = 'decompress';
      if (parsed === undefined) {
        const bytes = uncompress(delivery.body, delivery.inline, headers.gzip, bodyBytes);
        if (typeof bytes === 'string') return refuse(bytes, stage);
        stage = 'parse';
        parsed = parseBody(bytes);
        if (typeof parsed === 'string') return refuse(parsed, stage);
      }
      stage = 'parse';
      body = (parsed as Parsed).json;
      if (typeof body !== 'object' || body === null || Array.isArray(body)) return refuse('not_an_event', stage);

      stage = 'route';
      const disagreement = disagreementOf(headers, body);
      if (disagreement !== undefined) return refuse(disagreement.reason, stage, disagreement.place);
      const eventType = headers.eventType ?? namedEventType(body);
      if (eventType === null) return refuse('no_event_type', stage, 'event_type');
      const stream = router(eventType);
      if (stream === 'unrouted') {
        log.append('unrouted', wholeRecord('unrouted', delivery, receipt, identify(headers, body)));
        return taken({ kind: 'unrouted' });
      }

      stage = 'read';
      let reading = read(stream, eventType, namingUser(body, headers), receipt);
      const refusals = reading.kind === 'refused' ? [reading] : reading.refused;
      if (refusals.some(({ reason }) => reason === INEXACT)) {
        const bytes = uncompress(delivery.body, delivery.inline, headers.gzip, bodyBytes) as Buffer;
        const exact = parseExactly(bytes);
        if (exact !== undefined) reading = read(stream, eventType, namingUser(exact as object, headers), receipt);
      }
      if (reading.kind === 'refused') return refuse(reading.reason, stage, reading.place);

      stage = 'encode';
      log.append<StreamName>(stream, reading.record as StreamRecords[StreamName]);
      const parts = reading.refused.filter(({ reason }) => reason !== KEPT_IN_EXTRA);
      if (parts.length > 0) {
        const verdict = {
          reason: parts[0]!.reason,
          stage: 'read',
          scope: 'part',
          places: parts.map(({ place }) => place).filter((place) => place !== ''),
        } as const;
        bury(handed, deadLetter(delivery, receipt, identify(headers, body), verdict));
      }
      return taken({ kind: 'kept', stream, refused: reading.refused });
    } catch (error) {
      // The log's own errors concern every delivery. Anything else is this delivery's, and its message may quote a value.
      if (isAortaError(error) && error.class === 'setup') throw error;
      return refuse(stage === 'encode' ? 'not_encodable' : 'AORTA-BUG', stage);
    }
  };
}

/** Shows deliveries to the window that were taken before, by whomever, and have to be known to it: nothing becomes of them. */
export function rememberIn(window: Pick<RedeliveryWindow, 'classify'>): (delivery: Delivery) => void {
  return (delivery) => {
    window.classify(sightingOf(delivery, readHeaders(delivery.headers), measureBody(delivery.body, delivery.inline)));
  };
}

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

function parseInline(delivery: Delivery, limit: number): Parsed | DeadReason {
  const bytes = uncompress(delivery.body, true, false, limit);
  return typeof bytes === 'string' ? bytes : parseBody(bytes);
}

/**
 * The body, with the user of the headers where it names none itself. The record then names the same user as the headers,
 * by which its redelivery is recognised.
 */
function namingUser(body: object, headers: HeaderFacts): object {
  const { user_id: named } = body as { user_id?: unknown };
  return headers.userId !== null && (named === undefined || named === null) ? { ...body, user_id: headers.userId } : body;
}

function disagreementOf(headers: HeaderFacts, body: object): { reason: DeadReason; place: string } | undefined {
  const eventType = headers.eventType === null ? null : namedEventType(body);
  if (eventType !== null && eventType !== headers.eventType) return { reason: 'event_type_disagrees', place: 'event_type' };
  const userId = headers.userId === null ? null : memberText(body, 'user_id');
  if (userId !== null && userId !== headers.userId) return { reason: 'user_disagrees', place: 'user_id' };
  return undefined;
}
