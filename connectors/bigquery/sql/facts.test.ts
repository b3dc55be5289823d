import { expect, test } from 'vitest';
import { beginStatements, factsOf } from './facts.ts';

const dataset = { project: 'p', dataset: 'd' };
const key = 'ab'.repeat(32);

test('a new warehouse gets a format and a key, which is also stored in the suppression list', () => {
  const statements = beginStatements(dataset, factsOf([]), key)!;
  expect([statements[0], statements.at(-1)]).toEqual(['BEGIN TRANSACTION', 'COMMIT TRANSACTION']);
  const inserted = statements.slice(1, -1);
  expect(inserted.map((one) => /^INSERT INTO `p\.d\.(\w+)`/.exec(one)?.[1])).toEqual(['aorta_suppressed', 'aorta_meta']);
  expect(inserted[0]).toContain(`'key:${key}'`);
  for (const one of inserted) expect(one).not.toMatch(/\b(SELECT|FROM)\b/);
});

test('a warehouse whose key is not in the suppression list keeps its key and adds it to the list', () => {
  const facts = factsOf([
    ['format', '1'],
    ['suppression_key', 'bb'],
    ['suppression_key', 'aa'],
  ]);
  expect(facts).toMatchObject({ format: 1, key: 'aa', isKeyListed: false });
  const statements = beginStatements(dataset, facts, key)!;
  expect(statements.join('\n')).toContain("'key:aa'");
  expect(statements.join('\n')).not.toContain(key);
});

test('a warehouse whose suppression list contains the key stays unchanged unless another worker wrote a smaller key', () => {
  const rows = [
    ['format', '1'],
    ['suppression_key', 'bb'],
    ['suppression_key_listed', 'bb'],
  ];
  expect(beginStatements(dataset, factsOf(rows), key)).toBeUndefined();
  const raced = factsOf([...rows, ['suppression_key', 'aa']]);
  expect(beginStatements(dataset, raced, key)!.join('\n')).toContain("'key:aa'");
});
