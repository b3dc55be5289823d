import { expect, test } from 'vitest';
import { clientIdOf, everything, type RunParts, reportedParts, writesStreams } from './parts.ts';

const parts = (some: Partial<RunParts>): RunParts => ({ ingestion: false, enrichment: 'none', loading: false, ...some });

test('a run writes to shared streams only if it ingests or runs all enrichment jobs', () => {
  expect([everything, parts({ ingestion: true }), parts({ enrichment: 'all', loading: true })].map(writesStreams)).toEqual([
    true,
    true,
    true,
  ]);
  expect([parts({ loading: true }), parts({ enrichment: 'pulls', loading: true })].map(writesStreams)).toEqual([false, false]);
});

test('the reported parts include enrichment only if the process does not ingest', () => {
  expect(reportedParts(everything)).toEqual(['ingestion', 'loading']);
  expect(reportedParts(parts({ enrichment: 'all' }))).toEqual(['enrichment']);
  expect(reportedParts(parts({ enrichment: 'pulls', loading: true }))).toEqual(['loading']);
});

test('client ids are the same as in released versions', () => {
  const ids = (['ingestion', 'enrichment', 'loading'] as const).map((part) => clientIdOf(part, 7));
  expect(ids.map((id) => id.split('-')[1])).toEqual(['consumers', 'fetching', 'jobs']);
});
