import { Service } from '@aorta/service';
import { expect, test } from 'vitest';
import { calledOperations, sdkCallOf } from './sdk-calls.ts';
import { startWorld } from './world.ts';

const { operations } = new Service({ runs: false });

const forTeams = operations.filter(({ managed }) => managed === undefined);

test.each(forTeams.map(({ id }) => id))("the vendor's SDK runs %s, and its schema accepts the answers", async (id) => {
  const { answer, call } = sdkCallOf(id);
  await using world = await startWorld();
  await call(world);
  const successes = world.exchanges.filter(({ operation, status }) => operation.id === id && status < 300);
  expect(successes.length).toBeGreaterThan(0);
  for (const { body } of successes) {
    // The SDK itself lets unknown values of enumerations pass.
    if (answer === undefined) expect(body).toBeUndefined();
    else answer.parseOrThrow(body, { unrecognizedObjectKeys: 'passthrough' });
  }
});

test('every call belongs to an operation of the service', () => {
  expect(calledOperations.filter((id) => !forTeams.some((operation) => operation.id === id))).toEqual([]);
});
