/**
 * What an error catalogue is. Every folder that meets errors of its own declares one in its `errors.ts`; the program
 * composes them.
 *
 * Each entry has a code that never changes its meaning, a class that says what a program should do about it, a sentence
 * with named places, and what a person can do. Details are names, counts and positions; a value of health data or an
 * identifier of a person never becomes one. Messages of third-party libraries are not passed on: they quote values.
 */

/** What to do about an error: *setup* alert once, retry slowly; *transient* retry with backoff; *data* dead letter; *usage* correct the command; *bug* stop. */
export type ErrorClass = 'setup' | 'transient' | 'data' | 'usage' | 'bug';

export interface ErrorEntry {
  readonly class: ErrorClass;
  /** What happened, with `{place}`s filled from the details. */
  readonly message: string;
  /** What a person can do about it. */
  readonly remedy: string;
}

/** Errors by code. */
export type ErrorCatalogue = Readonly<Record<string, ErrorEntry>>;

/** Names, counts and positions. Never a value of health data, never an identifier of a person. */
export type ErrorDetails = Readonly<Record<string, string | number>>;

/** The details of an error: one for each place in its texts, and others that callers ask for. */
export type DetailsOf<Entry extends ErrorEntry> = ErrorDetails & Readonly<Record<PlacesIn<Entry>, string | number>>;

/** Names of the `{place}`s in the texts of an entry. */
export type PlacesIn<Entry extends ErrorEntry> = PlacesOf<Entry['message']> | PlacesOf<Entry['remedy']>;

type PlacesOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string}${' ' | '"'}${string}` ? never : Name) | PlacesOf<Rest>
  : never;

/** A text with its places filled. A place without a detail stays as it is. */
export function fill(text: string, details: ErrorDetails): string {
  return text.replace(/\{([a-z_]+)\}/g, (place, name: string) => (name in details ? String(details[name]) : place));
}
