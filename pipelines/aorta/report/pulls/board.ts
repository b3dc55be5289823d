import type { QueryResult, QueryValue, WarehouseReader } from '@aorta/connectors';
import { canTrigger, pullStates } from '@aorta/schemas';
import { z } from 'zod';
import { ProgramError } from '../../errors.ts';

/** The standings of the board, in the board's order: those that need attention come first. */
export const standings = [
  'failed',
  'stalled',
  'retrying',
  'unknown',
  'in_motion',
  'announced',
  'not_pulled',
  'not_reported',
  'gone',
  'complete',
] as const;

const written = z.tuple([z.enum(standings), z.iso.datetime(), z.string(), z.string(), z.string()]);
export type Standing = (typeof standings)[number];

/** Values that `--state` accepts. */
export const selectable: readonly string[] = [...new Set<string>([...standings, ...pullStates])];

const columns = [
  'user_id',
  'provider',
  'resource',
  'standing',
  'since',
  'reason',
  'what_to_do',
  'state',
  'status',
  'error_details',
  'scheduled_at',
  'range_start',
  'range_end',
  'days_with_data',
  'provisional',
  'as_of',
  'stale',
  'trace_id',
] as const;

/** The API call that makes the service pull the history of a connection again. */
interface Trigger {
  readonly method: 'POST';
  readonly path: string;
  readonly body: { readonly user_ids: readonly string[]; readonly provider: string; readonly wait_for_completion: false };
}

export type Row = Readonly<Record<(typeof columns)[number], QueryValue>> & {
  /** Null if the pull need not be triggered, or if the service cannot trigger pulls of this provider. */
  readonly trigger: Trigger | null;
};

export interface Selection {
  readonly user?: string;
  readonly provider?: string;
  readonly resource?: string;
  readonly state?: string;
}

/** Counts of the pulls with the same provider and standing. */
export interface Count {
  readonly provider: string;
  readonly standing: Standing;
  readonly pulls: number;
  /** Number of pulls for which the service's last answer is out of date. */
  readonly stale: number;
  readonly oldestAnswer: string | null;
}

const needSomebody: ReadonlySet<Standing> = new Set(['failed', 'stalled', 'unknown']);
/** A pull with one of these standings may change at any time, so a stale answer may not reflect its current state. */
const open: ReadonlySet<Standing> = new Set(['retrying', 'in_motion']);

/** Counts the pulls that need the operator's attention. */
export function needingAttention(counts: readonly Count[]): number {
  return counts.reduce(
    (sum, { standing, pulls, stale }) => sum + (needSomebody.has(standing) ? pulls : open.has(standing) ? stale : 0),
    0,
  );
}

const rank = (reader: WarehouseReader): string =>
  `case standing ${standings.map((standing, index) => `when ${reader.literal(standing)} then ${index}`).join(' ')} end`;

/** Returns an SQL timestamp that is independent of the session's time zone. */
const instant = (reader: WarehouseReader, text: string): string => `cast(${reader.literal(text)} as timestamp)`;

function conditions(reader: WarehouseReader, { user, provider, resource, state }: Selection): string[] {
  const literal = (text: string): string => reader.literal(text);
  return [
    ...(user === undefined ? [] : [`user_id = ${literal(user)}`]),
    ...(provider === undefined ? [] : [`provider = ${literal(provider)}`]),
    ...(resource === undefined ? [] : [`resource = ${literal(resource)}`]),
    ...(state === undefined ? [] : [`(standing = ${literal(state)} or state = ${literal(state)})`]),
  ];
}

const where = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `\nwhere ${conditions.join('\n  and ')}`;

/** The last pull on the previous page of the board. New or removed pulls do not shift the next page. */
interface Cursor {
  readonly standing: Standing;
  readonly since: string;
  readonly userId: string;
  readonly provider: string;
  readonly resource: string;
}

/** The columns of a row that determine its position on the board. */
type Placed = Readonly<Record<'standing' | 'since' | 'user_id' | 'provider' | 'resource', QueryValue>>;

/** Encodes the position after a row, as a value of `--after`. */
export function cursorAfter({ standing, since, user_id, provider, resource }: Placed): string {
  return Buffer.from(JSON.stringify([standing, since, user_id, provider, resource])).toString('base64url');
}

/** Decodes a value that {@link cursorAfter} returned. Throws AORTA-USAGE for any other string. */
export function parseCursor(text: string): Cursor {
  try {
    const [standing, since, userId, provider, resource] = written.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { standing, since, userId, provider, resource };
  } catch {
    throw new ProgramError('AORTA-USAGE', {
      problem: '--after needs the place that the previous page printed',
      hint: 'Copy the whole place from the line `Next page: …` of the previous page.',
    });
  }
}

function behind(reader: WarehouseReader, { standing, since, userId, provider, resource }: Cursor): string {
  const place = standings.indexOf(standing);
  const literal = (text: string): string => reader.literal(text);
  const key = `(user_id > ${literal(userId)} or (user_id = ${literal(userId)} and (provider > ${literal(provider)}
    or (provider = ${literal(provider)} and resource > ${literal(resource)}))))`;
  const at = instant(reader, since);
  return `(${rank(reader)} > ${place} or (${rank(reader)} = ${place} and (since < ${at} or (since = ${at} and ${key}))))`;
}

/** Selects the rows of the board that a query reads. */
export interface Wanted {
  readonly selection: Selection;
  /** Reads only pulls that come after this one on the board. */
  readonly after?: Cursor | undefined;
  readonly limit?: number | undefined;
  readonly only?: readonly Standing[];
  /** Whether to skip sorting. Sorting would hold all rows in memory. */
  readonly unsorted?: true;
  /** Reads only pulls whose tracked state, or whose answer from the service, was loaded after the given time. */
  readonly changed?: { readonly by: 'track' | 'answer'; readonly after: string | null };
}

/** Load times of the newest rows in the tables behind the board; null if a table has no rows. */
export interface Loaded {
  readonly track: string | null;
  readonly answer: string | null;
}

/** Reads rows of the board, sorted so that pulls that need attention come first. */
export async function* readBoard(reader: WarehouseReader, wanted: Wanted): AsyncGenerator<readonly Row[]> {
  const { selection, after, limit, only, unsorted, changed } = wanted;
  const all = [
    ...conditions(reader, selection),
    ...(only === undefined ? [] : [`standing in (${only.map((standing) => reader.literal(standing)).join(', ')})`]),
    ...(after === undefined ? [] : [behind(reader, after)]),
    ...(changed === undefined ? [] : [loadedLater(reader, changed)]),
  ];
  const order = unsorted ? '' : `\norder by ${rank(reader)}, since desc, user_id, provider, resource`;
  const most = limit === undefined ? '' : `\nlimit ${limit}`;
  const sql = `select ${columns.join(', ')} from historical_pull_board${where(all)}${order}${most}`;
  yield* rowsOf(await reader.query(sql));
}

export interface WantedPage extends Pick<Wanted, 'selection' | 'after'> {
  readonly limit: number;
}

/**
 * Reads a page of the board. First reads only the standings that are needed to fill the page, so that the warehouse can avoid
 * computing the rows of resources that are not pulled. These rows come last on the board and are the slowest to compute.
 * `counts`, if given, must be based on the same selection.
 */
export async function* readPage(
  reader: WarehouseReader,
  { selection, after, limit }: WantedPage,
  counts?: readonly Count[],
): AsyncGenerator<readonly Row[]> {
  const place = after === undefined ? 0 : standings.indexOf(after.standing);
  const last = after === undefined && counts !== undefined ? lastOfPage(counts, limit) : place;
  const rows: Row[] = [];
  for await (const page of readBoard(reader, { selection, after, limit, only: standings.slice(place, last + 1) }))
    rows.push(...page);
  yield rows;
  const later = standings.slice(last + 1);
  const left = limit - rows.length;
  if (left > 0 && later.length > 0) yield* readBoard(reader, { selection, limit: left, only: later });
}

/** Returns the index of the last standing that is needed to fill the first page. */
function lastOfPage(counts: readonly Count[], limit: number): number {
  let counted = 0;
  const last = standings.findIndex((standing) => {
    counted += counts.reduce((sum, one) => sum + (one.standing === standing ? one.pulls : 0), 0);
    return counted >= limit;
  });
  return last === -1 ? standings.length - 1 : last;
}

/**
 * Returns the SQL condition for pulls with newer rows. If only the service's answer is new, the condition selects
 * pulls that are now `stalled` or `gone`, because a new answer does not change other pulls.
 */
function loadedLater(reader: WarehouseReader, { by, after }: NonNullable<Wanted['changed']>): string {
  const since = instant(reader, after ?? '1970-01-01T00:00:00Z');
  return by === 'track' ? `_loaded_at > ${since}` : `(answer_loaded_at > ${since} and standing in ('stalled', 'gone'))`;
}

async function* rowsOf(result: QueryResult): AsyncGenerator<readonly Row[]> {
  for await (const chunk of result.rows)
    yield chunk.map((values) => {
      const row: Record<string, unknown> = {};
      for (let index = 0; index < columns.length; index++) row[columns[index]!] = plain(values[index]!);
      row.trigger = triggerOf(row as Row);
      return row as Row;
    });
}

/** The board's only integers are counts of days, which a JavaScript number represents exactly. */
const plain = (value: QueryValue): QueryValue => (typeof value === 'bigint' ? Number(value) : value);

function triggerOf({ standing, user_id, provider }: Row): Trigger | null {
  if (standing !== 'failed' && standing !== 'stalled') return null;
  if (!canTrigger(String(provider))) return null;
  const body = { user_ids: [String(user_id)], provider: String(provider), wait_for_completion: false } as const;
  return { method: 'POST', path: '/v2/link/bulk_trigger_historical_pull', body };
}

export async function countBoard(reader: WarehouseReader, selection: Selection): Promise<readonly Count[]> {
  const { rows } = await reader.query(`select
  provider, standing, count(*) as pulls,
  sum(case when stale and as_of is not null then 1 else 0 end) as stale_pulls, min(as_of) as oldest
from historical_pull_board${where(conditions(reader, selection))}
group by provider, standing`);
  const counts: Count[] = [];
  for await (const chunk of rows)
    for (const [provider, standing, pulls, stale, oldest] of chunk)
      counts.push({
        provider: String(provider),
        standing: standing as Standing,
        pulls: Number(pulls),
        stale: Number(stale),
        oldestAnswer: oldest as string | null,
      });
  return counts.sort(
    (a, b) => a.provider.localeCompare(b.provider, 'en') || standings.indexOf(a.standing) - standings.indexOf(b.standing),
  );
}

export async function newestLoaded(reader: WarehouseReader): Promise<Loaded> {
  const { rows } = await reader.query(`select
  (select max(_loaded_at) from historical_pull_tracks) as track,
  (select max(_loaded_at) from introspection_polls) as answer`);
  for await (const [row] of rows) return { track: row![0] as string | null, answer: row![1] as string | null };
  return { track: null, answer: null };
}

/** Reads the state changes of the selected pulls in chronological order. */
export function readChanges(reader: WarehouseReader, selection: Omit<Selection, 'state'>): Promise<QueryResult> {
  return reader.query(`select
  user_id, provider, resource, changed_at, from_state, to_state, event, status, error_details, scheduled_at, range_start, range_end
from historical_pull_changes${where(conditions(reader, selection))}
order by user_id, provider, resource, ordinal`);
}
