import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attributeEvidence } from '../../schemas/historical-pulls/attribution.ts';
import { compareEvidence, type Evidence } from '../../schemas/historical-pulls/evidence.ts';
import { foldPulls } from '../../schemas/historical-pulls/history.ts';
import { addEvidence } from '../../schemas/historical-pulls/record-evidence.ts';
import { pullStates } from '../../schemas/historical-pulls/state.ts';
import { pullEvents, transitions } from '../../schemas/historical-pulls/transitions.ts';
import { notPulledOf, pullsOf } from './historical-pulls.ts';

/** Compares the reducer with the model. The evidence uses few distinct times and ranges, so that they often coincide. */

const BASE = Date.UTC(2026, 2, 28, 12) * 1000;
const MINUTE = 60_000_000;
const moment = fc.oneof(
  fc.integer({ min: -4, max: 30 }).map((minutes) => BASE + minutes * MINUTE),
  // Times from clocks that jumped, and times with fractional seconds.
  fc.constantFrom(BASE - 3_000 * MINUTE, BASE + 3_000 * MINUTE, BASE + 1_234_567, BASE + 12 * MINUTE + 7),
);
const planned = fc.constantFrom(null, BASE, BASE + 400_000, BASE + 5 * MINUTE, BASE + 20 * MINUTE);
const range = fc.constantFrom(
  { rangeStart: null, rangeEnd: null },
  { rangeStart: BASE - 9e12, rangeEnd: BASE },
  { rangeStart: BASE - 9e12 + 300_000, rangeEnd: BASE + 999_999 },
  { rangeStart: BASE - 8e12, rangeEnd: BASE },
);
const told = fc
  .record({
    at: moment,
    status: fc.constantFrom('scheduled', 'in_progress', 'retrying', 'Retrying', 'success', 'failure', 'paused'),
    scheduledAt: planned,
    range,
    startedAt: fc.constantFrom(null, BASE + MINUTE),
    // `endedAt` has no meaning, and may be set with any status.
    endedAt: fc.constantFrom(null, BASE + 2 * MINUTE),
    daysWithData: fc.constantFrom(null, 0, 3, 5, 70),
    errorDetails: fc.constantFrom(null, 'provider_rate_limit_exceeded', 'retry_quota_exhausted', 'never_heard_of'),
  })
  .map(({ range: of, ...rest }): Evidence => ({ kind: 'told', ...rest, ...of }));
const completion = fc
  .record({ kind: fc.constantFrom('completed' as const, 'completed' as const, 'completed_partly' as const), at: moment, range })
  .map(({ range: of, ...rest }): Evidence => ({ ...rest, ...of }));
const other = fc
  .record({
    kind: fc.constantFrom('connected', 'connection_error', 'expected', 'expected', 'unavailable', 'not_pulled'),
    at: moment,
  })
  .map((evidence) => evidence as Evidence);
const provider = fc.constantFrom('oura', 'oura', 'oura', 'garmin');
const evidence = fc.array(
  fc.oneof({ weight: 5, arbitrary: told }, { weight: 2, arbitrary: completion }, { weight: 2, arbitrary: other }),
  {
    minLength: 1,
    maxLength: 14,
  },
);

/** Whether evidence comes from introspection, which repeats its answers. */
const isAnswer = ({ kind }: Evidence): boolean => kind === 'told' || kind === 'not_pulled';

const visited = new Map<string, number>();

/** Repeats the transitions of every pull, and counts how often the evidence reaches each cell of the transition table. */
function count(of: string, pieces: readonly Evidence[]): void {
  const sorted = pieces
    .toSorted(compareEvidence)
    .filter((one, index, all) => index === 0 || compareEvidence(all[index - 1]!, one) !== 0);
  for (const { heard } of attributeEvidence(of, sorted)) {
    let state: keyof typeof transitions = 'expected';
    for (const { event } of heard) {
      const cell = `${state} × ${event}`;
      visited.set(cell, (visited.get(cell) ?? 0) + 1);
      state = transitions[state][event].to;
    }
  }
}

const second = (at: number | null): number | null => (at === null ? null : Math.floor(at / 1e6));

describe('the reducer of historical pulls', () => {
  test('agrees with the model if evidence is out of order, repeated or partly lost', () => {
    fc.assert(
      fc.property(provider, evidence, fc.infiniteStream(fc.nat()), (of, pieces, dice) => {
        count(of, pieces);
        const { pulls, changes } = foldPulls(of, 'sleep', pieces);
        const model = pullsOf(of, pieces);
        expect(
          pulls.map((pull) => ({
            scheduled: second(pull.scheduledAt),
            state: pull.state,
            since: pull.since,
            progressed: pull.progressedAt,
            retryingSince: pull.retryingSince,
            provisional: pull.provisional,
            perhaps: pull.perhapsCompletedAt !== null,
            contradicted: pull.contradictedAt !== null,
          })),
        ).toEqual(model.map(({ steps: _, unavailable: __, ...rest }) => rest));
        const notPulled = notPulledOf(pieces);
        const presentOfModel = model.at(-1);
        expect(pulls.at(-1)?.notPulledAt).toBe(presentOfModel && (notPulled?.first ?? presentOfModel.unavailable));
        expect(pulls.at(-1)?.lastNotPulledAt).toBe(presentOfModel && (notPulled?.last ?? null));
        const steps = model.flatMap(({ steps: all }) => all).sort(([a, x], [b, y]) => a - b || (x < y ? -1 : 1));
        expect(changes.map(({ at, to }) => [at, to]).sort(([a, x], [b, y]) => +a! - +b! || (x! < y! ? -1 : 1))).toEqual(steps);

        const roll = (): number => dice.next().value;
        const shuffled = [...pieces, ...pieces.filter(() => roll() % 3 === 0)]
          .map((piece) => [roll(), piece] as const)
          .sort(([a], [b]) => a - b)
          .map(([, piece]) => piece);
        expect(foldPulls(of, 'sleep', shuffled)).toEqual({ pulls, changes });

        // `addEvidence` does not keep repeated answers. The evidence that it keeps gives the same pulls as all evidence, if the answers
        // arrive in order. Other evidence may arrive in any order.
        const answers = pieces.filter(isAnswer).toSorted(compareEvidence);
        const kept: Evidence[] = [];
        for (const piece of shuffled) {
          const next = isAnswer(piece) ? answers.shift() : piece;
          if (next !== undefined) addEvidence(kept, next);
        }
        for (const piece of [...answers, ...pieces.filter((one) => !isAnswer(one))]) addEvidence(kept, piece);
        expect(foldPulls(of, 'sleep', kept)).toEqual({ pulls, changes });
      }),
      { numRuns: 1_200 },
    );
  });

  test('the generated evidence reaches every combination of state and event', () => {
    const cells = pullStates.flatMap((state) => pullEvents.map((event) => `${state} × ${event}`));
    expect(cells).toHaveLength(98);
    expect(cells.filter((cell) => !visited.has(cell))).toEqual([]);
  });
});

describe('the transitions of historical pulls', () => {
  test('a pull never returns to an open state after success or failure', () => {
    for (const state of ['success', 'failure'] as const)
      for (const event of pullEvents) {
        const { to, verdict } = transitions[state][event];
        expect(['success', 'failure'], `${state} × ${event}`).toContain(to);
        expect(to === state, `${state} × ${event}`).toBe(verdict !== 'contradicts');
      }
  });

  test('only introspection moves a pull to retrying or failure', () => {
    for (const state of pullStates)
      for (const event of pullEvents) {
        const { to } = transitions[state][event];
        if (to !== state && to === 'retrying') expect(event).toBe('told_retrying');
        if (to !== state && to === 'failure') expect(event).toBe('told_failure');
      }
  });

  test('only the verdicts `moves` and `contradicts` change the state', () => {
    for (const state of pullStates)
      for (const event of pullEvents) {
        const { to, verdict } = transitions[state][event];
        expect(to !== state, `${state} × ${event}`).toBe(verdict === 'moves' || verdict === 'contradicts');
      }
  });
});
