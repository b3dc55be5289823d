import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { randomOf } from '@aorta/people';
import { currentEventTypes } from '../catalogue/event-types.ts';
import { loadedFiles, type Row } from '../catalogue/loaded.ts';
import { mutants, type Verdicts } from '../catalogue/mutants.ts';
import { PLANTED, type Seedling } from '../catalogue/mutate.ts';

/**
 * `npm run soak -- samples` loads the service's own examples, which are not part of this repository, from the folder in
 * AORTA_SAMPLES. It first loads every file unchanged. Then it loads mutants, which are randomly changed copies. The results page
 * contains event types, reasons and counts, but no content of the examples.
 */

/** The outcome of an event in a file. */
export interface SampleVerdict {
  /** Path of the file, relative to the loaded folder. */
  readonly file: string;
  readonly eventType: string | null;
  /** Stream of the event, which can be `dead_letters` or `unrouted`. */
  readonly stream: string;
  readonly reason: string | null;
  /** Number of samples that were loaded from a timeseries event. */
  readonly samples: number | null;
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** Loads the folder as `aorta load` does, and returns the outcome of each file. */
export function judgeSamples(folder: string): Promise<SampleVerdict[]> {
  return loadedFiles(folder, async ({ rows }) => {
    const deliveries = await rows('deliveries');
    return filesOf(folder).flatMap((file) => {
      const partition = createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex');
      const own = deliveries.filter(({ source_partition }) => partition.startsWith(String(source_partition)));
      if (own.length === 0) return [{ file, eventType: null, stream: 'lost', reason: null, samples: null }];
      return own.map((row) => verdictOf(file, row));
    });
  });
}

function verdictOf(file: string, row: Row): SampleVerdict {
  return {
    file,
    eventType: row.event_type as string | null,
    stream: row.stream as string,
    reason: row.dead_letter_reason as string | null,
    samples: row.samples === null ? null : Number(row.samples),
  };
}

/** Returns the strings and numbers of an example that are unlikely to occur in output by chance. */
function distinctiveValues(value: unknown): string[] {
  if (typeof value === 'number') return /\d\.\d{3,}|\d{6,}/.test(String(value)) ? [String(value)] : [];
  if (typeof value === 'string') return value.length >= 12 && !/^[a-z_.]+$/.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(distinctiveValues) : [];
}

export interface Campaign {
  readonly seed: number;
  readonly mutants: number;
  readonly verdicts: Verdicts;
}

/** Loads mutants of the examples, one batch per load, so that memory use does not grow with the number of mutants. */
export async function mutateSamples(folder: string, seed: number, count: number, say: (done: number) => void): Promise<Campaign> {
  const bodies = filesOf(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, unknown>);
  const seedlings: Seedling[] = bodies.map((body) => {
    const { event_type, user_id } = body;
    const known = typeof event_type === 'string' && currentEventTypes.includes(event_type);
    const headers: Seedling['headers'] =
      known && typeof user_id === 'string' ? { 'event-type': event_type, 'user-id': user_id } : {};
    return { headers, body };
  });
  const planted = [PLANTED, ...new Set(bodies.flatMap(distinctiveValues))];
  const batches: Verdicts[] = [];
  for (let done = 0; done < count; done += BATCH) {
    batches.push(await mutants(seedlings, planted, { random: randomOf(seed, done), count: Math.min(BATCH, count - done) }));
    say(Math.min(done + BATCH, count));
  }
  return { seed, mutants: count, verdicts: batches.reduce(together) };
}

const BATCH = 5000;

function together(a: Verdicts, b: Verdicts): Verdicts {
  const deadLetters: Record<string, number> = { ...a.deadLetters };
  for (const [reason, count] of Object.entries(b.deadLetters)) deadLetters[reason] = (deadLetters[reason] ?? 0) + count;
  return {
    received: a.received + b.received,
    redelivered: a.redelivered + b.redelivered,
    kept: a.kept + b.kept,
    unrouted: a.unrouted + b.unrouted,
    deadLetters,
    faults: [...a.faults, ...b.faults],
  };
}

/** Returns a results page with event types, reasons and counts. It does not contain file names or content of the examples. */
export function samplesRecord(
  verdicts: readonly SampleVerdict[],
  { seed, mutants: made, verdicts: of }: Campaign,
  head: readonly string[],
): string[] {
  const isEvent = ({ reason }: SampleVerdict): boolean => reason !== 'no_event_type';
  const counted = new Map<string, number>();
  for (const { eventType, stream, reason } of verdicts.filter(isEvent)) {
    const cells = `| ${eventType} | ${stream} | ${reason ?? ''} |`;
    counted.set(cells, (counted.get(cells) ?? 0) + 1);
  }
  const rows = [...counted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([cells, count]) => `${cells} ${count} |`);
  const letters = Object.entries(of.deadLetters).sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    '# The examples of the service',
    '',
    'Written by `npm run soak -- samples`, from the examples that the service publishes. They are not part of this repository.',
    '',
    ...head,
    '',
    '## As they are',
    '',
    `${verdicts.length} bodies in ${new Set(verdicts.map(({ file }) => file)).size} files. ${verdicts.filter((one) => !isEvent(one)).length} are answers of the service's API and no events: dead letters, \`no_event_type\`. The others:`,
    '',
    '| event type | stream | reason | examples |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    '## Made wrong at random',
    '',
    `- ${made} mutants from seed ${seed}: members dropped, renamed and of another type, texts enlarged, lists emptied and doubled, deep nesting, odd names, numbers and dates, headers changed, bodies damaged.`,
    `- Received ${of.received}: ${of.kept} kept, ${of.redelivered} redelivered, ${of.unrouted} unrouted, ${of.received - of.kept - of.redelivered - of.unrouted} dead letters.`,
    `- Dead letters by reason: ${letters.map(([reason, count]) => `${reason} ${count}`).join(', ')}.`,
    `- Faults (a load that fails, a delivery lost or doubled, a record that does not land, a value printed): ${of.faults.length === 0 ? 'none' : of.faults.join('; ')}.`,
    '',
  ];
}
