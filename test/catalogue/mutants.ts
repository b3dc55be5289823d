import type { Random } from '@aorta/people';
import { createLogger } from '@aorta/runtime/json-logger';
import { type DeadLetter, type EventStream, type TableDeclaration, tables } from '@aorta/schemas';
import { keyedByType } from './event-types.ts';
import { type DeliveryLine, type Loaded, lineOf, loaded } from './loaded.ts';
import { mutate, type Seedling } from './mutate.ts';

/** The outcomes of a batch of mutants. */
export interface Verdicts {
  readonly received: number;
  readonly redelivered: number;
  readonly kept: number;
  readonly unrouted: number;
  readonly deadLetters: Readonly<Record<string, number>>;
  /** Descriptions of broken invariants, without values. */
  readonly faults: readonly string[];
}

const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((total, one) => total + one, 0);

/** Creates `count` mutants from the seedlings in turn, loads them and checks the result. About 2% repeat an earlier mutant. */
export function mutants(
  seedlings: readonly Seedling[],
  planted: readonly string[],
  { random, count }: { readonly random: Random; readonly count: number },
): Promise<Verdicts> {
  const lines: DeliveryLine[] = [];
  while (lines.length < count) {
    const number = lines.length;
    if (number > 0 && random.chance(0.02)) lines.push(lines.at(-random.whole(1, Math.min(number, 50)))!);
    else {
      const { headers, body } = seedlings[number % seedlings.length]!;
      lines.push(mutate({ headers: { ...headers, 'idempotency-key': `mutant-${number}` }, body }, random));
    }
  }
  return judge(lines, planted);
}

/**
 * Loads mutants and returns a fault for each broken invariant. The load must succeed. Every delivery must be in exactly one
 * stream, and every record must be landed. Dead letters must contain the received bytes. No error may be AORTA-BUG. No output or
 * log line may contain a `planted` string.
 */
async function judge(lines: readonly DeliveryLine[], planted: readonly string[]): Promise<Verdicts> {
  const printed: string[] = [];
  const logger = createLogger('debug', { write: (text) => void printed.push(text) });
  let verdicts: Verdicts;
  try {
    verdicts = await loaded(lines, (result) => verdictsOf(lines, result, printed), logger);
  } catch (error) {
    // The program also prints the thrown error, and a library's message may quote a value.
    const { message, name, remedy } = error as Error & { remedy?: string };
    printed.push(`${message} ${remedy}`);
    const fault = `the load failed: ${name}${leaks(printed, planted).length > 0 ? '' : `: ${message}`}`;
    verdicts = { received: 0, redelivered: 0, kept: 0, unrouted: 0, deadLetters: {}, faults: [fault] };
  }
  const shown = leaks(printed, planted).map((number) => `planted value ${number} was printed`);
  return { ...verdicts, faults: [...verdicts.faults, ...shown] };
}

/** Returns the indexes of the `planted` strings that occur in the output. */
function leaks(printed: readonly string[], planted: readonly string[]): number[] {
  const text = [...new Set(printed)].join('\n');
  return planted.flatMap((value, number) => (text.includes(value) ? [number] : []));
}

async function verdictsOf(lines: readonly DeliveryLine[], result: Loaded, printed: string[]): Promise<Verdicts> {
  const { report, problems, problemCount } = result.outcome;
  printed.push(
    JSON.stringify(report),
    ...problems.map((problem) => JSON.stringify([problem.message, problem.remedy, problem.details])),
  );
  const faults: string[] = [];
  const fault = (what: string, yes: boolean): void => void (yes && faults.push(what));
  const kept = sum(report.streams);
  fault('the file has problems', problemCount !== (report.dead_letters.not_a_delivery ?? 0));
  fault('not every line was received', report.received !== lines.length);
  fault(
    'the counts of records do not add up to the deliveries received',
    report.received !== report.redelivered + kept + report.unrouted + sum(report.dead_letters),
  );
  fault('a delivery failed with AORTA-BUG', (report.dead_letters['AORTA-BUG'] ?? 0) > 0);
  fault('a record did not match its schema', (report.dead_letters.not_encodable ?? 0) > 0);

  const deliveries = await result.table('deliveries');
  fault(
    'not exactly one row per delivery',
    deliveries.size !== lines.length || [...deliveries.values()].some((rows) => rows.length !== 1),
  );
  const of = (stream: string): number[] => [...deliveries].flatMap(([offset, [row]]) => (row?.stream === stream ? [offset] : []));
  for (const table of tables) {
    const { name, stream } = table;
    const records = await result.stream(stream as EventStream);
    const offsets = of(stream);
    const missing = offsets.some((offset) => !records.has(offset)) || records.size !== offsets.length;
    fault(`${stream}: deliveries without a record`, missing);
    const rows = await result.rows(name);
    fault(
      `${name}: rows without a record`,
      rows.some(({ _offset }) => !records.has(Number(_offset))),
    );
    const wanted = rowsWanted(table, [...records.values()]);
    fault(`${name}: ${rows.length} rows instead of ${wanted}`, rows.length !== wanted);
  }
  const letters = await result.stream('dead_letters');
  for (const letter of letters.values()) printed.push(printedOf(letter));
  fault(
    'a dead letter without its bytes',
    of('dead_letters').some((offset) => !keepsBytes(letters.get(offset), lines[offset]!, offset)),
  );
  const unrouted = await result.stream('unrouted');
  fault(
    'an unrouted event without its bytes',
    of('unrouted').some((offset) => !sameBytes(unrouted.get(offset), lines[offset]!)),
  );
  return {
    received: report.received,
    redelivered: report.redelivered,
    kept,
    unrouted: report.unrouted,
    deadLetters: report.dead_letters,
    faults,
  };
}

/** Returns the expected number of rows, one per key. Only some resources have the sample's type or the workout in their key. */
function rowsWanted({ key, columns }: TableDeclaration, records: readonly object[]): number {
  const paths = columns.filter(({ name, path }) => key.includes(name) && path.length > 0);
  const keys = new Set<string>();
  for (const record of records) {
    const { resource = '', start_at: starts } = record as { resource?: string; start_at?: readonly number[] };
    const applying = paths.filter(
      ({ name }) =>
        !(name === 'sample_type' && !keyedByType.includes(resource)) &&
        !(name === 'source_workout_id' && !resource.startsWith('workout_')),
    );
    const values = applying.map(({ path }) => at(record, path));
    for (let index = 0; index < (starts?.length ?? 1); index++) {
      // An array holds one value per sample, one value for all samples, or none.
      const own = values.map((value) => (Array.isArray(value) ? value[value.length > 1 ? index : 0] : value));
      keys.add(JSON.stringify(own.map((value) => value ?? '')));
    }
  }
  return keys.size;
}

const at = (record: object, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, member) => (value as Record<string, unknown>)[member], record);

/** Whether a dead letter contains the body, or the whole line if the line is not a delivery. */
function keepsBytes(letter: DeadLetter | undefined, line: DeliveryLine, offset: number): boolean {
  if (letter?.reason !== 'not_a_delivery') return sameBytes(letter, line);
  return letter.body.toString() === lineOf(line, offset).trimEnd();
}

function sameBytes(whole: { readonly body: Buffer } | undefined, { body }: DeliveryLine): boolean {
  return whole?.body.equals(Buffer.from(body)) === true;
}

/** Returns the parts of a dead letter that Aorta prints. It never prints bytes, headers or identities. */
function printedOf({ reason, stage, scope, places, error_headers }: DeadLetter): string {
  return JSON.stringify([reason, stage, scope, places, Object.entries(error_headers)]);
}
