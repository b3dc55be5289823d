import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { controlOperations, Service, startService } from '@aorta/service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { controlExamples } from './control-examples.ts';
import { membersOf, namesIn } from './control-members.ts';
import { controlPage } from './control-page.ts';
import { type ControlExample, recorder } from './control-recorder.ts';
import { nameOf } from './exchange.ts';

const WHERE =
  'Add an example to a file such as test/service-contract/team-control-examples.ts (control-examples.ts calls them), then run: npm run generate';

const service = new Service({ runs: false });
const operations = controlOperations(service);
afterAll(() => service.close());

let examples: readonly ControlExample[];
// Throws if a request gets another status than its example has.
beforeAll(async () => {
  examples = await controlExamples();
});

test('the page of the control port has the answers of the service (npm run generate)', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/service-control.md'), 'utf8');
  expect(page).toBe(controlPage(operations, examples));
});

test.each(operations.map(nameOf))('%s has an example', (name) => {
  const statuses = examples.filter(({ operation }) => operation === name).map(({ status }) => status);
  expect(statuses, `The control port has no example of ${name}. ${WHERE}`).toContain(200);
});

test.each(operations.filter(({ body }) => body !== undefined))('the examples of $method $path show each member', (operation) => {
  const inputs = examples.filter((example) => example.operation === nameOf(operation)).map(({ input }) => input);
  const shown = new Set(inputs.flatMap((input) => namesIn(input)));
  const missing = membersOf(operation).filter(({ name }) => !shown.has(name));
  expect(
    missing.map(({ name }) => name),
    `No example of ${nameOf(operation)} has these members. ${WHERE}`,
  ).toEqual([]);
});

test.each(operations.filter(({ body }) => body !== undefined))('$method $path refuses an unknown member', (operation) => {
  const { input } = examples.find((example) => example.operation === nameOf(operation))!;
  const { error } = operation.body!.safeParse({ ...input, unknown_member: 1 });
  expect(error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['unknown_member'] }]);
});

test('the examples have no request that the control port lacks', () => {
  const names = operations.map(nameOf);
  expect(examples.map(({ operation }) => operation).filter((name) => !names.includes(name))).toEqual([]);
});

test('an example whose answer has another status than expected is refused', async () => {
  await using served = await startService({ runs: false });
  const { control, call, examples: recorded } = recorder(served);
  await expect(control('POST /teams', { region: 'us' })).rejects.toThrow('POST /teams: status 422 instead of 200: {"detail":[');
  await expect(control('GET /clock', {}, { status: 404 })).rejects.toThrow('GET /clock: status 200 instead of 404');
  await expect(call('key', 'GET /v2/user')).rejects.toThrow('GET /v2/user: status 401 instead of 200');
  expect(recorded).toEqual([]);
});
