import type { Database } from '../storage/database.ts';
import type { Json, Source } from './arrival.ts';
import { type Sample, type Shape, shapeOf } from './samples.ts';

export interface StoredSample {
  readonly sampled_at: number;
  readonly provider: string;
  readonly source_type: string;
  readonly variant: string;
  readonly body: Json;
  /** JSON: {@link Source}. */
  readonly source: string;
}

/** Position of a sample in the order of a page. */
export type Position = readonly [at: number, provider: string, type: string, variant: string];

export const positionOf = ({ sampled_at, provider, source_type, variant }: StoredSample): Position => [
  sampled_at,
  provider,
  source_type,
  variant,
];

export interface SampleQuery {
  readonly user: string;
  readonly resource: string;
  /** First and last instant, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly provider?: string | undefined;
  /** The samples after this position. */
  readonly after?: Position | undefined;
  /** Default: no limit. */
  readonly limit?: number | undefined;
}

/** Where samples come from. */
interface Origin {
  readonly user: string;
  readonly resource: string;
  readonly source: Source;
  /** See `sourceNumber` in data/ingestion.ts. */
  readonly sourceId: number;
}

/** What SQLite takes as no limit. */
const NO_LIMIT = -1;

/** The samples that are new, and those that have changed. */
interface News {
  readonly created: readonly Sample[];
  readonly updated: readonly Sample[];
}

/** Most rows of one statement. One statement for many rows takes less time than many statements. */
const MOST_ROWS = 128;
/** The statements that insert 0, 1, 2 … rows. */
const inserts = Array.from({ length: MOST_ROWS + 1 }, (_, rows) => {
  const values = Array(rows).fill('(?, ?, ?)').join(', ');
  return `insert into samples select ?, column1, column2, ?, column3 from (values ${values})`;
});

interface Series {
  readonly series_id: number;
  readonly provider: string;
  readonly source_type: string;
  readonly variant: string;
}

interface Row {
  readonly sampled_at: number;
  readonly shape_id: number;
  readonly source_id: number;
  readonly value: number | null;
}

/** Returns a function that calls `of` once for each argument. It is fastest if the argument is mostly the same as before. */
export function memoized<Key, Value>(of: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>();
  let last: { readonly key: Key; readonly value: Value } | undefined;
  return (key) => {
    if (last !== undefined && last.key === key) return last.value;
    const value = values.has(key) ? values.get(key)! : of(key);
    values.set(key, value);
    last = { key, value };
    return value;
  };
}

/** The samples of all users. The latest version of a sample replaces all earlier ones. */
export class SampleStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stores samples of one source. Returns the new and the changed ones. */
  put(origin: Origin, samples: readonly Sample[]): News {
    const shapeOf = memoized(({ text }: Shape) => this.#shape(text));
    const seriesOf = memoized((variant: string) => this.#series(origin, variant));
    if (areOrdered(samples) && this.#isEmpty(seriesOf(samples[0]!.variant), samples[0]!.at, samples.at(-1)!.at)) {
      this.#insert(seriesOf(samples[0]!.variant), origin.sourceId, samples, shapeOf);
      return { created: samples, updated: [] };
    }
    const verbs = samples.map((sample) => this.#putOne(seriesOf(sample.variant), origin.sourceId, sample, shapeOf));
    const those = (verb: string): Sample[] => samples.filter((_, index) => verbs[index] === verb);
    return { created: those('created'), updated: those('updated') };
  }

  /** Returns samples in the order of their time. */
  page(query: SampleQuery): StoredSample[] {
    const shape = memoized((id: number) => shapeOf(this.#text('select shape as text from shapes where shape_id = ?', id)));
    const sourceOf = memoized((id: number) => this.#text('select source as text from sources where source_id = ?', id));
    return (
      this.#seriesOf(query)
        .flatMap((series) => this.#rows(series, query).map((row) => ({ series, row })))
        // Samples of one time stay in the order of their series.
        .sort((a, b) => a.row.sampled_at - b.row.sampled_at)
        .slice(0, query.limit)
        .map(({ series: { provider, source_type, variant }, row: { sampled_at, shape_id, source_id, value } }) => ({
          sampled_at,
          provider,
          source_type,
          variant,
          body: shape(shape_id).bodyOf(sampled_at, value),
          source: sourceOf(source_id),
        }))
    );
  }

  /** Returns whether a series has no sample in a range. */
  #isEmpty(series: number, from: number, to: number): boolean {
    const sql = 'select 1 from samples where series_id = ? and sampled_at between ? and ? limit 1';
    return this.#database.get(sql, series, from, to) === undefined;
  }

  #insert(series: number, source: number, samples: readonly Sample[], shapeOf: (shape: Shape) => number): void {
    for (let done = 0; done < samples.length; done += MOST_ROWS) {
      const some = samples.slice(done, done + MOST_ROWS);
      const values: (number | null)[] = [series, source];
      for (const { at, shape, value } of some) values.push(at, shapeOf(shape), value);
      this.#database.run(inserts[some.length]!, ...values);
    }
  }

  #putOne(
    series: number,
    source: number,
    sample: Sample,
    shapeOf: (shape: Shape) => number,
  ): 'created' | 'updated' | 'unchanged' {
    const { at, value } = sample;
    const known = this.#database.get<Row>('select * from samples where series_id = ? and sampled_at = ?', series, at);
    if (known === undefined) {
      this.#insert(series, source, [sample], shapeOf);
      return 'created';
    }
    const shape = shapeOf(sample.shape);
    if (known.shape_id === shape && known.value === value) return 'unchanged';
    this.#database.run(
      'update samples set shape_id = ?, source_id = ?, value = ? where series_id = ? and sampled_at = ?',
      ...[shape, source, value, series, at],
    );
    return 'updated';
  }

  /** Returns the number of a series. Equal series have one number. */
  #series({ user, resource, source: { provider, type } }: Origin, variant: string): number {
    const key = [user, resource, provider, type, variant];
    return this.#database.numberOf(
      `select series_id as number from series
       where user_id = ? and resource = ? and provider = ? and source_type = ? and variant = ?`,
      'insert into series (user_id, resource, provider, source_type, variant) values (?, ?, ?, ?, ?)',
      ...key,
    );
  }

  /** Returns the number of a shape. Equal shapes have one number. */
  #shape(text: string): number {
    return this.#database.numberOf(
      'select shape_id as number from shapes where shape = ?',
      'insert into shapes (shape) values (?)',
      text,
    );
  }

  /** Returns the series of a query, in the order in which a page has their samples of one time. */
  #seriesOf({ user, resource, provider = '', after = [0, '', '', ''] }: SampleQuery): (Series & { readonly is_after: number })[] {
    const [, ...afterSeries] = after;
    return this.#database.all(
      `select series_id, provider, source_type, variant, (provider, source_type, variant) > (?, ?, ?) as is_after from series
       where user_id = ? and resource = ? and (? = '' or provider = ?)
       order by provider, source_type, variant`,
      ...afterSeries,
      user,
      resource,
      provider,
      provider,
    );
  }

  #rows({ series_id, is_after }: { readonly series_id: number; readonly is_after: number }, query: SampleQuery): Row[] {
    const { from, to, after, limit = NO_LIMIT } = query;
    const first = after === undefined ? from : Math.max(from, after[0] + (is_after === 1 ? 0 : 1));
    return this.#database.all(
      'select * from samples where series_id = ? and sampled_at between ? and ? order by sampled_at limit ?',
      series_id,
      first,
      to,
      limit,
    );
  }

  #text(sql: string, id: number): string {
    return this.#database.get<{ text: string }>(sql, id)!.text;
  }
}

/** Returns whether samples belong to one series, and are in the order of their time. */
function areOrdered(samples: readonly Sample[]): boolean {
  return samples.every(
    ({ at, variant }, index) => index === 0 || (at > samples[index - 1]!.at && variant === samples[index - 1]!.variant),
  );
}
