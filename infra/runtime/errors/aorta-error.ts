import { type DetailsOf, type ErrorCatalogue, type ErrorClass, type ErrorDetails, fill, type PlacesIn } from './catalogue.ts';
import { generalErrors } from './general.ts';

/** Everything about an error, as plain data that may be cloned: another thread rebuilds the error from it, without a catalogue. */
export interface ErrorFacts {
  readonly code: string;
  readonly class: ErrorClass;
  /** The sentence with its places filled. */
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

/** Makes the errors of one catalogue. The code decides which details are needed. */
export interface ErrorsOf<Catalogue extends ErrorCatalogue> {
  new <Code extends keyof Catalogue & string>(
    code: Code,
    ...details: PlacesIn<Catalogue[Code]> extends never ? [details?: ErrorDetails] : [details: DetailsOf<Catalogue[Code]>]
  ): AortaError;
}

/**
 * An error out of a catalogue: the only kind of error that people read. Made by its own name for what can go wrong in
 * every part, and by the class that {@link errorsOf} gives a folder for that folder's own. Recognise it with
 * {@link isAortaError}, which also works over two copies of this package.
 */
export type AortaError = CataloguedError;
export const AortaError: ErrorsOf<typeof generalErrors> & { new (facts: ErrorFacts): AortaError } = CataloguedError;

/** The class of errors that a folder declares: `export const KafkaError = errorsOf(kafkaErrors)`. */
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

/** What another thread needs to rebuild the error: `new AortaError(facts)`. */
export function factsOf({ code, class: kind, message, remedy, details }: AortaError): ErrorFacts {
  return { code, class: kind, message, remedy, details };
}

function factsIn(catalogue: ErrorCatalogue, code: string, details: ErrorDetails): ErrorFacts {
  const { class: kind, message, remedy } = catalogue[code]!;
  return { code, class: kind, message: fill(message, details), remedy: fill(remedy, details), details };
}
