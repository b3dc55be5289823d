/**
 * The form of an error catalogue. A folder with errors of its own declares a catalogue in its `errors.ts`, and the
 * program composes all of them. The meaning of a code never changes. Errors do not repeat messages of third-party
 * libraries, because those may quote health data.
 */

/**
 * What a program does about an error: *setup* alerts once and retries slowly, *transient* retries with backoff, *data*
 * writes a dead letter, *usage* asks the user to correct the command, and *bug* stops.
 */
export type ErrorClass = 'setup' | 'transient' | 'data' | 'usage' | 'bug';

export interface ErrorEntry {
  readonly class: ErrorClass;
  /** What happened. Each `{placeholder}` is filled from the details. */
  readonly message: string;
  /** What the user can do about it. May have placeholders too. */
  readonly remedy: string;
}

/** Errors by code. */
export type ErrorCatalogue = Readonly<Record<string, ErrorEntry>>;

/** Names, counts and positions. They must never contain health data or identify a person. */
export type ErrorDetails = Readonly<Record<string, string | number>>;

/** The details of an error: one for each placeholder in its texts, and any others that callers read. */
export type DetailsOf<Entry extends ErrorEntry> = ErrorDetails & Readonly<Record<PlacesIn<Entry>, string | number>>;

/** The names of the `{placeholder}`s in the texts of an entry. */
export type PlacesIn<Entry extends ErrorEntry> = PlacesOf<Entry['message']> | PlacesOf<Entry['remedy']>;

type PlacesOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string}${' ' | '"'}${string}` ? never : Name) | PlacesOf<Rest>
  : never;

/** Replaces the placeholders in a text with the details. A placeholder without a detail stays unchanged. */
export function fill(text: string, details: ErrorDetails): string {
  return text.replace(/\{([a-z_]+)\}/g, (place, name: string) => (name in details ? String(details[name]) : place));
}
