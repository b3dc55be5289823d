import { describe, expect, test } from 'vitest';
import type { Evidence, ReportedEvidence } from './evidence.ts';
import { foldPulls } from './history.ts';
import { addEvidence, trackRecord } from './record-evidence.ts';

const minute = 60_000_000;
const T0 = Date.UTC(2026, 2, 28, 9) * 1000;
const at = (minutes: number): number => T0 + minutes * minute;

const told = (minutes: number, days: number): ReportedEvidence => ({
  kind: 'told',
  at: at(minutes),
  status: 'in_progress',
  scheduledAt: at(0),
  rangeStart: at(-days * 1440),
  rangeEnd: at(0),
  startedAt: null,
  endedAt: null,
  daysWithData: null,
  errorDetails: null,
});
const notPulled = (minutes: number): Evidence => ({ kind: 'not_pulled', at: at(minutes) });
const expected = (minutes: number): Evidence => ({ kind: 'expected', at: at(minutes) });

function kept(heard: readonly Evidence[]): Evidence[] {
  const evidence: Evidence[] = [];
  for (const piece of heard) addEvidence(evidence, piece);
  return evidence;
}

describe('addEvidence', () => {
  test('keeps only the first of several equivalent answers', () => {
    expect(kept([told(1, 30), told(2, 30), notPulled(3)])).toEqual([told(1, 30), notPulled(3)]);
  });

  describe('answers that differ only in the days with data', () => {
    const growing = (minutes: number, daysWithData: number): ReportedEvidence => ({ ...told(minutes, 30), daysWithData });

    test('leave the first answer and the one with the most days', () => {
      const heard = [growing(1, 0), growing(2, 1), growing(3, 4), growing(4, 2), growing(5, 4)];
      expect(kept(heard)).toEqual([growing(1, 0), growing(3, 4)]);
      expect(foldPulls('oura', 'sleep', kept(heard))).toEqual(foldPulls('oura', 'sleep', heard));
    });

    test('are new evidence, and each makes a track that replaces the one before', () => {
      const heard = [growing(1, 0), growing(2, 1), growing(3, 4), expected(2), growing(5, 9)];
      const evidence: Evidence[] = [];
      const offsets = heard.map((piece) => {
        expect(addEvidence(evidence, piece)).toBe(true);
        const history = foldPulls('oura', 'sleep', evidence);
        return trackRecord({ userId: 'u', provider: 'oura', resource: 'sleep' }, evidence, history)!.receipt.offset;
      });
      expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
      expect(new Set(offsets).size).toBe(heard.length);
    });

    test('are compared only with answers about the same pull, whichever pull an answer without a range belongs to', () => {
      const rangeless = { ...growing(1, 70), rangeStart: null, rangeEnd: null };
      const other = (minutes: number, days: number): ReportedEvidence => ({ ...told(minutes, 90), daysWithData: days });
      for (const heard of [
        // The first answer with a range names the pull of the answer without one, so the other pull has reported 5 days at most.
        [rangeless, growing(2, 0), other(3, 5), other(4, 70)],
        [growing(1, 0), other(2, 5), { ...rangeless, at: at(3) }, other(4, 70)],
        [rangeless, growing(2, 71), growing(3, 80), { ...rangeless, at: at(4) }, other(5, 1), other(6, 70)],
      ])
        expect(foldPulls('oura', 'sleep', kept(heard))).toEqual(foldPulls('oura', 'sleep', heard));
    });

    test('cannot make the offset of a track unsafe', () => {
      const heard = [growing(1, Number.MAX_SAFE_INTEGER), { ...growing(2, Number.MAX_SAFE_INTEGER), status: 'retrying' }];
      const track = trackRecord({ userId: 'u', provider: 'oura', resource: 'sleep' }, heard, foldPulls('oura', 'sleep', heard));
      expect(Number.isSafeInteger(track!.receipt.offset)).toBe(true);
    });
  });

  test('keeps the first and the last of consecutive answers that list the resource as not pulled', () => {
    expect(kept([notPulled(3), notPulled(4)])).toEqual([notPulled(3), notPulled(4)]);
    expect(kept([notPulled(3), notPulled(4), notPulled(5), notPulled(6)])).toEqual([notPulled(3), notPulled(6)]);
  });

  test('the last not_pulled answer is the same whether connections arrive before or after the answers', () => {
    const last = (heard: readonly Evidence[]) => foldPulls('oura', 'sleep', kept(heard)).pulls.at(-1)!.lastNotPulledAt;
    const connections = [expected(0), expected(60)];
    expect(last([...connections, notPulled(1), notPulled(61), notPulled(62)])).toBe(at(62));
    expect(last([notPulled(1), notPulled(61), notPulled(62), ...connections])).toBe(at(62));
  });

  test('reports a repeated not_pulled answer as new only after a new connection', () => {
    const evidence: Evidence[] = [];
    const news = [
      expected(0),
      notPulled(1),
      notPulled(2),
      notPulled(3),
      expected(60),
      notPulled(61),
      notPulled(62),
      notPulled(63),
    ];
    expect(news.map((piece) => addEvidence(evidence, piece))).toEqual([true, true, false, false, true, true, false, false]);
  });

  test('an answer about the pull clears notPulledAt, even if it repeats an earlier answer', () => {
    const heard = [told(1, 30), notPulled(2), told(3, 30)];
    expect(foldPulls('oura', 'sleep', heard).pulls[0]!.notPulledAt).toBeNull();
    expect(foldPulls('oura', 'sleep', kept(heard))).toEqual(foldPulls('oura', 'sleep', heard));
  });

  test('repeated answers about several pulls add no evidence after a not_pulled answer', () => {
    const answer = (minutes: number): Evidence[] => [told(minutes, 30), told(minutes, 90)];
    const heard = [...answer(1), notPulled(2), ...answer(3)];
    expect(kept([...heard, ...answer(4), ...answer(5)])).toEqual(kept(heard));
    expect(foldPulls('oura', 'sleep', kept(heard))).toEqual(foldPulls('oura', 'sleep', heard));
  });
});
