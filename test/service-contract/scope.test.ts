import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Service } from '@aorta/service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describedOperations } from '../catalogue/catalogue.ts';
import { nameOf } from './exchange.ts';
import { operationsPage } from './operations-page.ts';
import { isOmitted, omissions } from './scope.ts';

const service = new Service({ runs: false });
const sdkResources = join(import.meta.dirname, '../../node_modules/@junction-api/sdk/dist/cjs/api/resources');
const page = readFileSync(join(import.meta.dirname, '../../docs/reference/service-operations.md'), 'utf8');

test('the page of operations matches the service (npm run generate)', () => {
  expect(page).toBe(operationsPage(service));
});

test('the page names every operation of the service and of the real service', () => {
  const names = new Set([...describedOperations, ...service.operations.map(nameOf)]);
  const named = (name: string): boolean => {
    const [, path, resource, rest] = /^(\w+ \/v2\/(?:timeseries\/\{user_id\}|summary))\/(\w+)(.*)$/.exec(name) ?? [];
    if (page.includes(`\`${name}\``)) return true;
    const rows = page.split('\n').filter((line) => line.startsWith(`| \`${path}/{resource}${rest}\` |`));
    return rows.some((row) => row.includes(`\`${resource}\``));
  };
  expect(names.size).toBeGreaterThan(260);
  expect([...names].filter((name) => !named(name))).toEqual([]);
});

test('the page names every operation of the SDK', () => {
  const clients = globSync('**/client/Client.js', { cwd: sdkResources });
  const called = /Environment\.Production, (?:`([^`]*)`|"([^"]*)")\),\s*method: "(\w+)"/g;
  const names = clients.flatMap((file) =>
    [...readFileSync(join(sdkResources, file), 'utf8').matchAll(called)].map(
      ([, template, text, method]) => `${method} /${template ?? text}`,
    ),
  );
  const unnamed = (name: string): string => name.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}|\{\w+\}/g, '{}');
  const described = new Set(describedOperations.map(unnamed));
  expect(names.length).toBeGreaterThan(200);
  expect(names.map(unnamed).filter((name) => !described.has(name))).toEqual([]);
});

test('the service has no operation that is out of scope, and every omission leaves something out', () => {
  expect(service.operations.map(nameOf).filter(isOmitted)).toEqual([]);
  const idle = omissions.filter(({ operations }) => !describedOperations.some((name) => operations.test(name)));
  expect(idle.map(({ what }) => what)).toEqual([]);
});

/** Omitted operations at a path where the service has another method. */
const otherMethod = [
  'PATCH /v3/lab_tests/{lab_test_id}',
  'POST /v2/user/{user_id}/create_portal_url',
  'POST /v2/user/{user_id}/insurance',
  'POST /v2/user/{user_id}/sign_in_token',
  'POST /v3/lab_tests',
];

let served: Awaited<ReturnType<Service['serve']>>;
beforeAll(async () => {
  served = await service.serve();
});
afterAll(async () => {
  await served.close();
  await service.close();
});

test.each(describedOperations.filter(isOmitted))('%s is not found, with the right key and without', async (name) => {
  const [method, path] = name.split(' ') as [string, string];
  const { team_id, org_id, api_key } = service.teams.create(name);
  const { key } = service.managementKeys.create({ org_id, label: '', creator: 'vital_staff', team_ids: null });
  const ids: Readonly<Record<string, string>> = { org_id, team_id, environment: 'sandbox', region: 'us' };
  const url = `${served.url}${path.replaceAll(/\{(\w+)\}/g, (_, parameter) => ids[parameter] ?? crypto.randomUUID())}`;
  const expected = otherMethod.includes(name) ? [405, { detail: 'Method Not Allowed' }] : [404, { detail: 'Not Found' }];
  for (const headers of [{}, { 'x-service-api-key': api_key, 'x-management-key': key }]) {
    const answer = await fetch(url, { method, headers });
    expect([answer.status, await answer.json()]).toEqual(expected);
  }
});
