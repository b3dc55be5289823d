import { instant } from '../api/times.ts';
import type { Generation } from '../teams/generation.ts';
import type { Json, Source } from './arrival.ts';
import { sourceForm } from './source-generations.ts';
import type { StoredSummary } from './summary-store.ts';

/** Returns a summary as events and answers have it. */
export function summaryForm({ created_at, updated_at, body, source }: StoredSummary, generation: Generation): Json {
  return {
    ...(JSON.parse(body) as Json),
    source: sourceForm(JSON.parse(source) as Source, generation),
    created_at: instant(created_at),
    updated_at: instant(updated_at),
  };
}
