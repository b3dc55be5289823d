import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Service } from '@aorta/service';
import { expect, test } from 'vitest';
import { describedOperations } from '../catalogue/catalogue.ts';
import { nameOf } from './exchange.ts';
import { operationsPage } from './operations-page.ts';
import { isOmitted, omissions } from './scope.ts';

const service = new Service({ runs: false });
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
  expect(names.size).toBeGreaterThan(190);
  expect([...names].filter((name) => !named(name))).toEqual([]);
});

test('the service has no operation that is out of scope, and every omission leaves something out', () => {
  expect(service.operations.map(nameOf).filter(isOmitted)).toEqual([]);
  const idle = omissions.filter(({ operations }) => !describedOperations.some((name) => operations.test(name)));
  expect(idle.map(({ what }) => what)).toEqual([]);
});
