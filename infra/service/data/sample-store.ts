import type { Database } from '../storage/database.ts';
import type { Json, Source } from './arrival.ts';
import type { Sample } from './samples.ts';
import { sourceNumber } from './sources.ts';

export interface StoredSample {
  readonly sampled_at: number;
  readonly provider: string;
  readonly source_type: string;
  readonly variant: string;
  readonly body: string;
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

/** What SQLite takes as no limit. */
const NO_LIMIT = -1;

/** The samples that are new, and those that have changed. */
interface News {
  readonly created: Json[];
  readonly updated: Json[];
}

/** The samples of all users. The latest version of a sample replaces all earlier ones. */
export class SampleStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stores samples of one source. Returns the new and the changed ones. */
  put(user: string, resource: string, source: Source, samples: readonly Sample[]): News {
    const news: News = { created: [], updated: [] };
    const number = sourceNumber(this.#database, source);
    for (const { at, variant, body } of samples) {
      const key = [user, resource, at, source.provider, source.type, variant] as const;
      const text = JSON.stringify(body);
      const inserted = this.#database.run(
        'insert into samples values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing',
        ...key,
        number,
        text,
      );
      if (inserted === 1) news.created.push(body);
      else if (this.#replace(key, number, text)) news.updated.push(body);
    }
    return news;
  }

  #replace(key: readonly [string, string, number, string, string, string], source: number, body: string): boolean {
    return (
      this.#database.run(
        `update samples set body = ?, source_id = ?
         where user_id = ? and resource = ? and sampled_at = ? and provider = ? and source_type = ? and variant = ? and body <> ?`,
        body,
        source,
        ...key,
        body,
      ) === 1
    );
  }

  /** Returns samples in the order of their time. */
  page({ user, resource, from, to, provider = '', after = [from, '', '', ''], limit = NO_LIMIT }: SampleQuery): StoredSample[] {
    return this.#database.all(
      `select sampled_at, provider, source_type, variant, body, source from samples join sources using (source_id)
       where user_id = ? and resource = ? and sampled_at between ? and ? and (? = '' or provider = ?)
         and (sampled_at, provider, source_type, variant) > (?, ?, ?, ?)
       order by sampled_at, provider, source_type, variant limit ?`,
      user,
      resource,
      from,
      to,
      provider,
      provider,
      ...after,
      limit,
    );
  }
}
