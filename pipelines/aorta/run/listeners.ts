import type { AortaError, ErrorCatalogue, ErrorClass, LogFields, Logger } from '@aorta/runtime';
import { causesDeadLetter } from '@aorta/schemas';
import type { ErrorCode } from '../catalogues.ts';
import { deadLetterCount, type LoadReport, sum } from '../report/load-report.ts';

type Counts = Omit<LoadReport, 'tables'>;

/** Progress of a load or run, counted in deliveries since its start. */
export interface ProgressEvent {
  readonly received: number;
  /** Number of deliveries that were routed to a stream and kept in it. */
  readonly kept: number;
  readonly redelivered: number;
  readonly unrouted: number;
  /** Number of deliveries that became dead letters as a whole. */
  readonly deadLetters: number;
}

/** New dead letters with the same reason: whole deliveries, or parts of kept deliveries. */
export interface DeadLettersEvent {
  readonly reason: string;
  /** Number of dead letters since the last event with this reason. */
  readonly added: number;
  /** Number of dead letters since the start. */
  readonly total: number;
}

/** An error after which the work continues. If an error ends the work, the promise from `load` or `run` rejects instead. */
export interface ErrorEvent {
  readonly code: ErrorCode;
  readonly class: ErrorClass;
  readonly message: string;
  readonly remedy: string;
}

/** Callbacks for a load or run. Events never contain health data or user ids. */
export interface Listeners {
  progress?(event: ProgressEvent): void;
  deadLetters?(event: DeadLettersEvent): void;
  error?(event: ErrorEvent): void;
}

/** Calls the listeners, and aborts the work if one of them throws. */
export class Announcer {
  readonly #listeners: Listeners;
  readonly #failed = new AbortController();
  readonly #letters = new Map<string, number>();
  #received = 0;
  #failure: { readonly thrown: unknown } | undefined;

  constructor(listeners: Listeners = {}) {
    this.#listeners = listeners;
  }

  /** Returns a signal that aborts when the caller's signal aborts or a listener throws. */
  signalWith(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#failed.signal : AbortSignal.any([signal, this.#failed.signal]);
  }

  check(): void {
    if (this.#failure !== undefined) throw this.#failure.thrown;
  }

  tell(counts: Counts): void {
    const { received, redelivered, unrouted } = counts;
    if (received > this.#received) {
      this.#received = received;
      const [kept, deadLetters] = [sum(counts.streams), deadLetterCount(counts)];
      this.#call(() => this.#listeners.progress?.({ received, kept, redelivered, unrouted, deadLetters }));
    }
    for (const [reason, total] of lettersOf(counts)) {
      const added = total - (this.#letters.get(reason) ?? 0);
      if (added <= 0) continue;
      this.#letters.set(reason, total);
      this.#call(() => this.#listeners.deadLetters?.({ reason, added, total }));
    }
  }

  tellError({ code, class: kind, message, remedy }: AortaError): void {
    this.#call(() => this.#listeners.error?.({ code, class: kind, message, remedy }));
  }

  /** Returns a logger that also passes errors and warnings to the listeners if their code is in the catalogue. */
  hearing(logger: Logger, catalogue: ErrorCatalogue): Logger {
    const told = (fields: LogFields = {}): void => {
      const { code, message, remedy } = fields;
      const known = typeof code === 'string' && Object.hasOwn(catalogue, code) ? catalogue[code] : undefined;
      if (typeof code !== 'string' || known === undefined) return;
      const event = { code, class: known.class, message: String(message), remedy: String(remedy) };
      this.#call(() => this.#listeners.error?.(event));
    };
    return {
      debug: logger.debug,
      info: logger.info,
      warn: (event, fields) => {
        logger.warn(event, fields);
        told(fields);
      },
      error: (event, fields) => {
        logger.error(event, fields);
        told(fields);
      },
    };
  }

  #call(listener: () => void): void {
    if (this.#failure !== undefined) return;
    try {
      listener();
    } catch (thrown) {
      this.#failure = { thrown };
      this.#failed.abort();
    }
  }
}

function lettersOf({ dead_letters, partial }: Counts): Map<string, number> {
  const letters = new Map<string, number>();
  for (const counts of [dead_letters, partial])
    for (const [reason, count] of Object.entries(counts))
      if (causesDeadLetter(reason)) letters.set(reason, (letters.get(reason) ?? 0) + count);
  return letters;
}
