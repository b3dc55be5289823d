import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readDocument } from '../../config/document.ts';
import { yamlWord } from './yaml-word.ts';

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
