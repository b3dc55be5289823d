import { type DetailsOf, type ErrorCatalogue, type ErrorClass, type ErrorDetails, fill, type PlacesIn } from './catalogue.ts';
import { generalErrors } from './general-errors.ts';

/** An error as plain data that can be cloned. A different thread can rebuild the error from this data without the catalogue. */
export interface ErrorFacts {
  readonly code: string;
  readonly class: ErrorClass;
  /** The message from the catalogue, with its placeholders filled. */
  readonly message: string;
  readonly remedy: string;
  readonly details: ErrorDetails;
}

const mark = Symbol.for('aorta.error');

class CataloguedError extends Error implements ErrorFacts {
  readonly code: string;
  readonly class: ErrorClass;
  readonly remedy: string;
  readonly details: ErrorDetails;
  readonly [mark] = true;

  constructor(error: ErrorFacts | string, details: ErrorDetails = {}) {
    const facts = typeof error === 'string' ? factsIn(generalErrors, error, details) : error;
    super(facts.message);
    this.name = 'AortaError';
    this.code = facts.code;
    this.class = facts.class;
    this.remedy = facts.remedy;
    this.details = facts.details;
  }
}

/** Constructor for the errors of one catalogue. The code determines which details are required. */
export interface ErrorsOf<Catalogue extends ErrorCatalogue> {
  new <Code extends keyof Catalogue & string>(
    code: Code,
    ...details: PlacesIn<Catalogue[Code]> extends never ? [details?: ErrorDetails] : [details: DetailsOf<Catalogue[Code]>]
  ): AortaError;
}

/**
 * An error from a catalogue. Users see no other kind of error. `new AortaError(…)` takes the codes of `generalErrors`. A
 * folder with its own catalogue gets its error class from {@link errorsOf}. Use {@link isAortaError} instead of
 * `instanceof`, because `isAortaError` also works if two copies of this package are loaded.
 */
export type AortaError = CataloguedError;
export const AortaError: ErrorsOf<typeof generalErrors> & { new (facts: ErrorFacts): AortaError } = CataloguedError;

/** Creates the error class for a catalogue: `export const KafkaError = errorsOf(kafkaErrors)`. */
export function errorsOf<const Catalogue extends ErrorCatalogue>(catalogue: Catalogue): ErrorsOf<Catalogue> {
  return class extends CataloguedError {
    constructor(code: string, details: ErrorDetails = {}) {
      super(factsIn(catalogue, code, details));
    }
  };
}

export function isAortaError(error: unknown): error is AortaError {
  return typeof error === 'object' && error !== null && mark in error;
}

/** Returns the error as plain data. `new AortaError(facts)` rebuilds it, for example in a different thread. */
export function factsOf({ code, class: kind, message, remedy, details }: AortaError): ErrorFacts {
  return { code, class: kind, message, remedy, details };
}

function factsIn(catalogue: ErrorCatalogue, code: string, details: ErrorDetails): ErrorFacts {
  const { class: kind, message, remedy } = catalogue[code]!;
  return { code, class: kind, message: fill(message, details), remedy: fill(remedy, details), details };
}

/**
 * Returns the error that happened first. If a block fails and closing its resource fails too, `await using` throws a
 * SuppressedError. Its `error` is the failure to close, and its `suppressed` is the original error, which callers need.
 */
export function firstError(error: unknown): unknown {
  let first = error;
  while (first instanceof SuppressedError) first = first.suppressed;
  return first;
}
