import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { Database } from './database.ts';
import { drawsOf } from './draws.ts';
import { Secrets } from './secrets.ts';
import { Signatures } from './signatures.ts';

const database = Database.open(':memory:');
const signatures = new Signatures({ database, draws: drawsOf('1'), secrets: new Secrets(Buffer.alloc(32)) });
afterAll(() => database.close());

test('a signature is right only for its text and its purpose', () => {
  const purposes = fc.constantFrom('cursor', 'requisition', 'another');
  // Short texts, so that many pairs are equal.
  const texts = fc.string({ maxLength: 1, unit: fc.constantFrom('a', 'b') });
  fc.assert(
    fc.property(purposes, purposes, texts, texts, (purpose, otherPurpose, text, otherText) => {
      const signature = signatures.of(purpose, text);
      expect(signatures.isRight(otherPurpose, otherText, signature)).toBe(purpose === otherPurpose && text === otherText);
      expect(signatures.isRight(purpose, text, signature)).toBe(true);
    }),
  );
});
