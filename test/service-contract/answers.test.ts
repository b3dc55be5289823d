import { Service } from '@aorta/service';
import { expect, test } from 'vitest';
import { describedAnswers } from '../catalogue/catalogue.ts';
import { deviationsOf } from './answer-schemas.ts';
import { type Deviation, deviations } from './deviations.ts';
import { type Exchange, nameOf, type Operation } from './exchange.ts';
import { malformed } from './malformed.ts';
import { managedOperations, managementCallOf } from './management-calls.ts';
import { calledOperations, sdkCallOf } from './sdk-calls.ts';
import { startWorld } from './world.ts';

const { operations } = new Service({ runs: false });
/** Operations that the vendor does not document, and why the service has them. */
const additional: Readonly<Record<string, string>> = {
  list_orders_without_version: 'interface.md has the path without a version.',
};
/** Operations that take input, but none that they refuse. */
const indulgent = ['resolve_user'];

const takesInput = ({ params, query, body }: Operation): boolean => [params, query, body].some((part) => part !== undefined);

/** Calls an operation as a program does, with malformed input, and without a key. */
async function exchangesOf(operation: Operation): Promise<readonly Exchange[]> {
  await using world = await startWorld();
  const isManaged = operation.managed !== undefined;
  await (isManaged ? managementCallOf(operation.id)(world) : sdkCallOf(operation.id).call(world));
  const { url, init } = malformed(operation, world.url);
  const key = isManaged ? { 'x-management-key': world.managementKey } : { 'x-vital-api-key': world.key };
  if (takesInput(operation)) await world.fetch(url, { ...init, headers: { ...init.headers, ...key } });
  await world.fetch(url, init);
  return world.exchanges.filter((exchange) => exchange.operation.id === operation.id);
}

const made = new Map<string, Promise<readonly Exchange[]>>();
/** Returns the exchanges of an operation, which are made only once. */
function exchanges(operation: Operation): Promise<readonly Exchange[]> {
  const known = made.get(operation.id) ?? exchangesOf(operation);
  made.set(operation.id, known);
  return known;
}
const allExchanges = async (): Promise<readonly Exchange[]> => (await Promise.all(operations.map(exchanges))).flat();

const forTeams = operations.filter(({ managed }) => managed === undefined);

test.each(forTeams)("the vendor's SDK runs $id, and its schema accepts the answers", async (operation) => {
  const { answer } = sdkCallOf(operation.id);
  const successes = (await exchanges(operation)).filter(({ status }) => status < 300);
  expect(successes.length).toBeGreaterThan(0);
  for (const { body } of successes) {
    // The SDK itself lets unknown values of enumerations pass.
    if (answer === undefined) expect(body).toBeUndefined();
    else answer.parseOrThrow(body, { unrecognizedObjectKeys: 'passthrough' });
  }
});

test('every call of the SDK belongs to an operation of the service', () => {
  expect(calledOperations.filter((id) => !forTeams.some((operation) => operation.id === id))).toEqual([]);
});

test('the vendor documents all operations except the listed ones', () => {
  const undocumented = operations.filter((operation) => !describedAnswers.has(nameOf(operation)));
  expect(undocumented.map(({ id }) => id).sort()).toEqual(Object.keys(additional).sort());
});

test('every call of the management API belongs to an operation of the service', () => {
  expect(managedOperations.filter((id) => !operations.some((operation) => operation.id === id))).toEqual([]);
});

test.each(operations)('$id gives all answers that it and the vendor document', async (operation) => {
  const documented = [...(describedAnswers.get(nameOf(operation))?.keys() ?? [])];
  const expected = documented.filter((status) =>
    status === 422 ? takesInput(operation) && !indulgent.includes(operation.id) : operation.answers[status] !== undefined,
  );
  const given = new Set((await exchanges(operation)).map(({ status }) => status));
  expect(expected.filter((status) => !given.has(status))).toEqual([]);
});

interface Difference {
  readonly id: string;
  readonly status: number;
  readonly difference: string;
}

const covers = ({ operations: ids, status, difference }: Deviation, found: Difference): boolean =>
  status === found.status && difference === found.difference && ids?.includes(found.id) !== false;

test('answers differ from those that the vendor documents only as listed', async () => {
  const found: readonly Difference[] = (await allExchanges()).flatMap((exchange) =>
    deviationsOf(exchange).map((difference) => ({ id: exchange.operation.id, status: exchange.status, difference })),
  );
  const unlisted = found.filter((difference) => !deviations.some((deviation) => covers(deviation, difference)));
  expect(
    [...new Set(unlisted.map(({ id, status, difference }) => `${id} ${status} ${difference}`))],
    'new differences: change the service, or list them in deviations.ts',
  ).toEqual([]);
});

test('every listed difference occurs, in every operation that it names', async () => {
  const all = await allExchanges();
  const occurs = (deviation: Deviation, id: string | undefined): boolean =>
    all.some(
      (exchange) =>
        (id === undefined || exchange.operation.id === id) &&
        exchange.status === deviation.status &&
        deviationsOf(exchange).includes(deviation.difference),
    );
  const gone = deviations.flatMap((deviation) =>
    (deviation.operations ?? [undefined])
      .filter((id) => !occurs(deviation, id))
      .map((id) => `${id ?? 'any operation'} ${deviation.status} ${deviation.difference}`),
  );
  expect(gone, 'differences that no longer occur: remove them from deviations.ts').toEqual([]);
});
