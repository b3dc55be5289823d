import { textOf } from '../../docs/documents.ts';

/** A section of docs/guides/questions.md. */
export interface Question {
  readonly heading: string;
  readonly query: string;
  /** The query in GoogleSQL. */
  readonly googleSql: string;
}

const instruction = /On BigQuery, write `([^`]+)` instead of `([^`]+)`\./g;

export function questions(): Question[] {
  const [, ...sections] = textOf('docs/guides/questions.md').split(/^## /m);
  return sections.map((section) => {
    const heading = section.split('\n')[0]!;
    const query = /^```sql\n([\s\S]*?)^```$/m.exec(section)?.[1];
    if (query === undefined) throw new Error(`no query: ${heading}`);
    let googleSql = query;
    for (const [, written, instead] of section.matchAll(instruction)) {
      if (!query.includes(instead!)) throw new Error(`${heading}: the query does not contain ${instead}`);
      googleSql = googleSql.replaceAll(instead!, written!);
    }
    return { heading, query, googleSql };
  });
}

/**
 * Replaces the name of each table and view in a query with the result of `relationOf`, which returns undefined for the names of
 * subqueries.
 */
export function withRelations(query: string, relationOf: (name: string) => string | undefined): string {
  return query.replace(/\b(from|join) (\w+)/g, (_, word: string, name: string) => `${word} ${relationOf(name) ?? name}`);
}
