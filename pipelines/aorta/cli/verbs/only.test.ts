import { expect, test } from 'vitest';
import { collectPart, type Only, runParts } from './run.ts';

const collected = (...values: string[]): Only => values.reduce<Only>((before, value) => collectPart(value, before), []);

test('a run without --only starts all parts, and a run with --only starts only the named parts', () => {
  expect(runParts([])).toEqual({ ingestion: true, enrichment: true, loading: true });
  expect(runParts(collected('ingestion'))).toEqual({ ingestion: true, enrichment: false, loading: false });
  expect(runParts(collected('loading'))).toEqual({ ingestion: false, enrichment: false, loading: true });
  expect(runParts(collected('enrichment', 'ingestion'))).toEqual({ ingestion: true, enrichment: true, loading: false });
});

test('--only refuses unknown parts', () => {
  for (const word of ['half', 'jobs', 'toString'])
    expect(() => collected('loading', word)).toThrow('Allowed choices are ingestion, enrichment, loading.');
});
