import { expect, test } from 'vitest';
import { collectPart, type Only, oldNameLine, runParts } from './run.ts';

const collected = (...values: string[]): Only => values.reduce<Only>((before, value) => collectPart(value, before), []);

test('a run without --only starts all parts, and a run with --only starts only the named parts', () => {
  expect(runParts([], false)).toEqual({ ingestion: true, enrichment: 'all', loading: true });
  expect(runParts(collected('ingestion'), true)).toEqual({ ingestion: true, enrichment: 'none', loading: false });
  expect(runParts(collected('enrichment'), true)).toEqual({ ingestion: false, enrichment: 'all', loading: false });
  expect(runParts(collected('loading'), false)).toEqual({ ingestion: false, enrichment: 'none', loading: true });
  expect(runParts(collected('enrichment', 'ingestion'), false)).toEqual({
    ingestion: true,
    enrichment: 'all',
    loading: false,
  });
});

test('a deprecated value of --only still works, and the command prints its replacement', () => {
  expect(runParts(collected('consumers'), true)).toEqual({ ingestion: true, enrichment: 'all', loading: false });
  expect(runParts(collected('jobs'), true)).toEqual({ ingestion: false, enrichment: 'none', loading: true });
  expect(runParts(collected('jobs'), false)).toEqual({ ingestion: false, enrichment: 'pulls', loading: true });
  expect(oldNameLine(collected('jobs'))).toMatch(/^--only jobs is deprecated; use --only loading .*\n$/);
  expect(oldNameLine(collected('consumers'))).toContain('--only ingestion --only enrichment');
  expect([oldNameLine([]), oldNameLine(collected('loading'))]).toEqual([undefined, undefined]);
});

test('--only refuses unknown parts, and refuses a deprecated name if other names are given', () => {
  expect(() => collected('half')).toThrow('Allowed choices are ingestion, enrichment, loading.');
  expect(() => collected('loading', 'jobs')).toThrow('jobs cannot be combined');
  expect(() => collected('jobs', 'loading')).toThrow('jobs cannot be combined');
});
