import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterFailure, type Failing, isDisabling } from './endpoints.ts';

const HOUR = 3_600_000;

/** Returns the hour of the failure that starts the clock, and of the one that disables the endpoint. */
function outcomeOf(hours: readonly number[]) {
  let failing: Failing | null = null;
  let started: number | undefined;
  for (const hour of hours) {
    failing = afterFailure(failing, hour * HOUR);
    if (isDisabling(failing)) return { started, disabled: hour };
    if (failing.disableAt !== null) started ??= hour;
  }
  return { started, disabled: undefined };
}

test.each([
  ['failures of one moment', [0, 0, 0], undefined],
  ['failures that are less than 12 hours apart', [0, 5, 11.9], undefined],
  ['failures that are 12 hours apart', [0, 12], 12],
  ['failures that are more than a day apart', [0, 25, 50, 75], undefined],
  ['failures of two days, of which two lie in one day', [0, 6, 25], 25],
])('the clock starts after several failures within a day, at least 12 hours apart: %s', (_, hours, started) => {
  expect(outcomeOf(hours).started).toBe(started);
});

test('the endpoint is disabled by the first failure that is 5 days after the start of the clock', () => {
  const hours = [0, 12, 60, 12 + 119.9, 12 + 120, 12 + 130];
  expect(outcomeOf(hours)).toEqual({ started: 12, disabled: 132 });
});

test('the clock starts as if all failures of the last day were compared', () => {
  const increasing = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 20 }).map((gaps) =>
    gaps.map(
      (
        (sum) => (gap: number) =>
          (sum += gap)
      )(0),
    ),
  );
  fc.assert(
    fc.property(increasing, (hours) => {
      const started = hours.find((hour, index) =>
        hours.slice(0, index).some((earlier) => hour - earlier <= 24 && hour - earlier >= 12),
      );
      const { disabled, ...found } = outcomeOf(hours);
      if (disabled === undefined) expect(found.started).toBe(started);
    }),
    { seed: 24 },
  );
});
