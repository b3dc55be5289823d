import { expect, test } from 'vitest';
import { secretFrom } from './secret-word.ts';

test('a secret of an option or a variable has no white space around it, and no quotes', () => {
  const secret = secretFrom('--secret');
  expect(secret('\ufeff whsec_Zq81\r\n')).toBe('whsec_Zq81');
  expect(secret('')).toBe('');
  expect(() => secret("'Zq81'\n")).toThrow(/^--secret: the value has quotes around it; remove them\.$/);
});
