import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Service } from '@aorta/service';
import { afterAll, expect, test } from 'vitest';
import { authenticationPage } from './authentication-page.ts';
import { type Credential, credentials, expectedStatus, ruledOperations } from './authentication-rules.ts';
import { statusesOf } from './credential-copies.ts';

const service = new Service({ runs: false });
const { operations } = service;
afterAll(() => service.close());

test.each(operations)('$id answers each credential with the status of the rules', async (operation) => {
  const names = Object.keys(credentials) as Credential[];
  const expected = Object.fromEntries(names.map((name) => [name, expectedStatus(operation, name)]));
  expect(await statusesOf(operation)).toEqual(expected);
});

test('every exception of the rules is an operation of the service', () => {
  expect(ruledOperations.filter((id) => !operations.some((operation) => operation.id === id))).toEqual([]);
});

test('the page of statuses matches the rules (npm run generate)', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/service-authentication.md'), 'utf8');
  expect(page).toBe(authenticationPage(service));
});
