import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { readDocument } from '../../config/document.ts';
import { repositoryOnly, yamlWord } from './local-server.ts';

const notFound = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /x/y.js`), { code: 'ERR_MODULE_NOT_FOUND' });

test('importing a missing package that only the repository contains rejects with AORTA-SERVERS-ABSENT', async () => {
  const loading = repositoryOnly('aorta dev kafka', () => Promise.reject(notFound('@aorta/kafka-broker')));
  await expect(loading).rejects.toMatchObject({ code: 'AORTA-SERVERS-ABSENT', details: { command: 'aorta dev kafka' } });
});

test('any other import failure is rethrown unchanged', async () => {
  const failure = notFound('rhea');
  await expect(repositoryOnly('aorta demo', () => Promise.reject(failure))).rejects.toBe(failure);
});

test('importing an installed package returns the package', async () => {
  expect(await repositoryOnly('aorta demo', async () => 'people')).toBe('people');
});

it.each([
  ['health-events', 'health-events'],
  ['/webhook', '/webhook'],
  ['a, b', '"a, b"'],
  ['null', '"null"'],
  ['1e3', '"1e3"'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration uses this syntax for variables
  ['${A}', '"$${A}"'],
])('quotes %j as %s', (text, expected) => {
  expect(yamlWord(text)).toBe(expected);
});

it('quotes any string so that a configuration file reads it back', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(...'a1$: ,#[]{}\'"-~.eE\n{}') }),
    fc.constantFrom('yes', 'True'),
  );
  fc.assert(
    fc.property(text, (name) => {
      const yaml = `in_a_list: [${yamlWord(name)}]\nalone: ${yamlWord(name)}\n`;
      expect(readDocument('f', yaml, { A: 'no' })).toMatchObject({ value: { in_a_list: [name], alone: name }, problems: [] });
    }),
  );
});
