/**
 * Defines the form of an error catalogue. A folder with errors of its own declares a catalogue in its `errors.ts`, and the
 * program composes all of them. The meaning of a code never changes. Errors do not repeat messages of third-party
 * libraries, because those may quote health data.
 */

/**
 * The class decides how the program reacts. After *setup* it alerts once and retries slowly. After *transient* it retries
 * with backoff. After *data* it writes a dead letter. After *usage* the user corrects the command. After *bug* it stops.
 */
export type ErrorClass = 'setup' | 'transient' | 'data' | 'usage' | 'bug';

export interface ErrorEntry {
  readonly class: ErrorClass;
  /** What happened. Each `{placeholder}` is filled from the details. */
  readonly message: string;
  /** Tells the user what to do. May have placeholders too. */
  readonly remedy: string;
}

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
