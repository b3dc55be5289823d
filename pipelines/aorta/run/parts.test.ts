import { expect, test } from 'vitest';
import { everything, type RunParts, reportedParts, writesStreams } from './parts.ts';

const parts = (some: Partial<RunParts>): RunParts => ({ ingestion: false, enrichment: false, loading: false, ...some });

test('a run writes to shared streams only if it ingests or enriches', () => {
  const writing = [everything, parts({ ingestion: true }), parts({ enrichment: true, loading: true })];
  expect(writing.map(writesStreams)).toEqual([true, true, true]);
  expect(writesStreams(parts({ loading: true }))).toBe(false);
});

test('the reported parts include enrichment only if the process does not ingest', () => {
  expect(reportedParts(everything)).toEqual(['ingestion', 'loading']);
  expect(reportedParts(parts({ enrichment: true, loading: true }))).toEqual(['enrichment', 'loading']);
});
