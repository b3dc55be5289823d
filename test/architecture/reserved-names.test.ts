import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Other addresses and numbers may belong to real people and companies. RFC 2606 and the numbering plan reserve these for examples. */

const root = join(import.meta.dirname, '..', '..');
const files = globSync('{*.md,{connectors,docs,infra,pipelines,schemas,test}/**/*.{ts,mjs,md,json,yaml,sql,csv,ndjson}}', {
  cwd: root,
  exclude: (name) => name.includes('node_modules'),
});

/** Returns the matches of an expression in the files, each with its file. */
function found(
  expression: RegExp,
  isIn: (file: string) => boolean = () => true,
): { readonly file: string; readonly text: string }[] {
  return files.filter(isIn).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return [...text.matchAll(expression)].map(([one, name = one]) => ({ file, text: name }));
  });
}

/** Names that RFC 2606 reserves, and hosts without a domain. */
const isReserved = (host: string): boolean => /(^|\.)(example\.(com|net|org)|example|test|invalid|localhost)\.?$/i.test(host);

test('every email address has a reserved domain', () => {
  const addresses = found(/[\w.%+-]+@([a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,})(?![\w.-]*\/)/gi);
  expect(addresses.length).toBeGreaterThan(10);
  expect(addresses.filter(({ text }) => !isReserved(text))).toEqual([]);
});

test('every phone number is one of the 100 that each area of the North American plan reserves', () => {
  const numbers = found(/(?:\+1|＋1|tel:\+1)[ (-]*\d{3}[ )-]*(\d{3}[ -]?\d{4})(?!\d)/g);
  expect(numbers.length).toBeGreaterThan(10);
  expect(numbers.filter(({ text }) => !/^555[ -]?01\d\d$/.test(text))).toEqual([]);
});

/** Real hosts that the service has to name: permissions of Google, and the sources of facts. */
const named = ['www.googleapis.com', 'github.com', 'maven.apache.org', 'loinc.org', 'ucum.org'];

test('the service, synthetic people and their guides name no host of others', () => {
  const hosts = found(/\b(?:https?|sb|amqps?):\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,})/gi, (file) =>
    /^infra\/(service|people)\//.test(file),
  );
  expect(hosts.length).toBeGreaterThan(10);
  expect(hosts.filter(({ text }) => !isReserved(text) && !named.includes(text))).toEqual([]);
});
