import { randomOf } from '@aorta/people';
import { expect, test } from 'vitest';
import { describedEvents } from './catalogue.ts';
import { fullEvent, IDENTIFIER_MARK, MARK } from './generate.ts';
import { mutants } from './mutants.ts';
import { PLANTED } from './mutate.ts';

const SEED = 20_260_321;
const MUTANTS = 3000;

test('mutants of every event are loaded without breaking an invariant or leaking a value', async () => {
  const seedlings = describedEvents.map((facts, number) => {
    const { body } = fullEvent(facts, number);
    return { headers: { 'event-type': facts.type, 'user-id': String(body.user_id ?? '') }, body };
  });
  const verdicts = await mutants(seedlings, [MARK, IDENTIFIER_MARK, PLANTED], { random: randomOf(SEED), count: MUTANTS });
  expect(verdicts.faults).toEqual([]);
  expect(verdicts.received).toBe(MUTANTS);
  expect(verdicts.kept).toBeGreaterThan(MUTANTS / 2);
  expect(verdicts.redelivered).toBeGreaterThan(0);
  expect(Object.keys(verdicts.deadLetters).length).toBeGreaterThan(5);
});
