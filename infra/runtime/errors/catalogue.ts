import { visible } from '../visible.ts';
import { explained } from './system-codes.ts';

/**
 * Defines the form of an error catalogue. A folder with its own errors declares a catalogue in its `errors.ts`, and the
 * program composes all catalogues into one. The meaning of a code never changes. Errors do not repeat the messages of
 * third-party libraries, because these messages may quote health data.
 */

/**
 * The class of an error determines how the program reacts. After a *setup* error, the program alerts once and retries
 * slowly. After a *transient* error, it retries with backoff. After a *data* error, it writes a dead letter. After a
 * *usage* error, the user must correct the command. After a *bug* error, the program stops.
 */
export type ErrorClass = 'setup' | 'transient' | 'data' | 'usage' | 'bug';

interface ErrorEntry {
  readonly class: ErrorClass;
  /** Says what happened. Each `{placeholder}` is filled from the details. */
  readonly message: string;
  /** Tells the user what to do. May contain placeholders too. */
  readonly remedy: string;
}

export type ErrorCatalogue = Readonly<Record<string, ErrorEntry>>;

/** The details of any error: names, counts and positions. They must never contain health data or identify a person. */
export type ErrorDetails = Readonly<Record<string, string | number>>;

/**
 * The details of an error with the given catalogue entry: one for each placeholder in the message and the remedy, and any
 * additional details that callers read.
 */
export type DetailsOf<Entry extends ErrorEntry> = ErrorDetails & Readonly<Record<PlacesIn<Entry>, string | number>>;

/** The names of the `{placeholder}`s in the message and the remedy of an entry. */
export type PlacesIn<Entry extends ErrorEntry> = PlacesOf<Entry['message']> | PlacesOf<Entry['remedy']>;

type PlacesOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string}${' ' | '"'}${string}` ? never : Name) | PlacesOf<Rest>
  : never;

/**
 * Replaces the placeholders in a string with the details, whose hidden characters become visible. `{code}` also says what a code
 * of the system means. A placeholder without a detail stays unchanged.
 */
export function fill(text: string, details: ErrorDetails): string {
  return text.replace(/\{([a-z_]+)\}/g, (place, name: string) => {
    if (!(name in details)) return place;
    const detail = String(details[name]);
    return visible(name === 'code' ? explained(detail) : detail);
  });
}
