import type { ResultPage } from './client.ts';

export type TextRow = readonly (string | readonly string[] | null)[];

/** Converts the values of a row from the REST API to strings, lists of strings, or null. */
export function textRow({ f }: ResultPage['rows'][number]): TextRow {
  return f.map(({ v }) => {
    if (v === null || v === undefined) return null;
    if (Array.isArray(v)) return v.map((one: { readonly v: unknown }) => String(one.v));
    return String(v);
  });
}
