import { instant } from '../api/times.ts';
import type { Database } from '../storage/database.ts';
import type { Generation } from '../teams/teams.ts';
import { type Json, type Source, sourceForm } from './arrival.ts';

export interface StoredSummary {
  readonly created_at: number;
  readonly updated_at: number;
  readonly body: string;
  /** JSON: {@link Source}. */
  readonly source: string;
}

interface NewSummary {
  readonly user: string;
  readonly resource: string;
  readonly provider: string;
  /** See `sourceNumber` in data/ingestion.ts. */
  readonly sourceId: number;
  /** Date such as 2026-01-31; undefined if the resource has none. */
  readonly date: string | undefined;
  /** Without `source` and the times of its versions. It has an `id`. */
  readonly body: Json;
}

export interface SummaryQuery {
  readonly user: string;
  readonly resource: string;
  /** First and last instant, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly provider?: string | undefined;
}

/** The summaries of all users. The latest version of a summary replaces all earlier ones. */
export class SummaryStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stores a summary. Returns how it has changed, and undefined if this version is already stored. */
  put({ user, resource, provider, sourceId, date, body }: NewSummary, now: number): 'created' | 'updated' | undefined {
    const text = JSON.stringify(body);
    const key = [user, resource, String(body.id)] as const;
    const inserted = this.#database.run(
      'insert into summaries values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing',
      ...key,
      provider,
      date === undefined ? null : Date.parse(date),
      now,
      now,
      sourceId,
      text,
    );
    if (inserted === 1) return 'created';
    const updated = this.#database.run(
      `update summaries set body = ?, dated_at = ?, source_id = ?, updated_at = ?
       where user_id = ? and resource = ? and summary_id = ? and (body <> ? or source_id <> ?)`,
      text,
      date === undefined ? null : Date.parse(date),
      sourceId,
      now,
      ...key,
      text,
      sourceId,
    );
    return updated === 1 ? 'updated' : undefined;
  }

  find(user: string, resource: string, id: string): StoredSummary | undefined {
    return this.#database.get(
      `select created_at, updated_at, body, source from summaries join sources using (source_id)
       where user_id = ? and resource = ? and summary_id = ?`,
      user,
      resource,
      id,
    );
  }

  /** Returns summaries in the order of their dates. Summaries without a date are in every range. */
  range({ user, resource, from, to, provider = '' }: SummaryQuery): StoredSummary[] {
    return this.#database.all(
      `select created_at, updated_at, body, source from summaries join sources using (source_id)
       where user_id = ? and resource = ? and (dated_at is null or dated_at between ? and ?) and (? = '' or provider = ?)
       order by dated_at, summary_id`,
      user,
      resource,
      from,
      to,
      provider,
      provider,
    );
  }
}

/** Returns a summary as events and answers have it. */
export function summaryForm({ created_at, updated_at, body, source }: StoredSummary, generation: Generation): Json {
  return {
    ...(JSON.parse(body) as Json),
    source: sourceForm(JSON.parse(source) as Source, generation),
    created_at: instant(created_at),
    updated_at: instant(updated_at),
  };
}
