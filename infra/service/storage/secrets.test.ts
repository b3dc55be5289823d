import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Secrets } from './secrets.ts';

const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
const text = fc.string({ unit: 'binary' });

test('a sealed text can be opened with its key at its place, and shows nothing of the text', () => {
  fc.assert(
    fc.property(key, text, text, (own, secret, place) => {
      const sealed = new Secrets(own).seal(secret, place);
      expect(new Secrets(own).open(sealed, place)).toBe(secret);
      expect(new Secrets(own).seal(secret, place)).not.toBe(sealed);
      if (secret.length > 3) expect(Buffer.from(sealed, 'base64').includes(secret)).toBe(false);
    }),
  );
});

test('another key or another place does not open a sealed text, and the error does not contain it', () => {
  fc.assert(
    fc.property(key, key, text, text, (own, other, place, elsewhere) => {
      fc.pre(!own.equals(other) && place !== elsewhere);
      const sealed = new Secrets(own).seal('planted', place);
      expect(() => new Secrets(other).open(sealed, place)).toThrow(/^(?!.*planted)/);
      expect(() => new Secrets(own).open(sealed, elsewhere)).toThrow(/^(?!.*planted)/);
    }),
  );
});

test('a sealed text cannot be opened if a byte was changed or removed', () => {
  fc.assert(
    fc.property(text, fc.nat(), fc.integer({ min: 1, max: 255 }), (secret, at, change) => {
      const secrets = new Secrets(randomBytes(32));
      const sealed = Buffer.from(secrets.seal(secret, 'place'), 'base64');
      const index = at % sealed.length;
      const changed = Buffer.from(sealed);
      changed[index]! ^= change;
      expect(() => secrets.open(changed.toString('base64'), 'place')).toThrow();
      expect(() => secrets.open(sealed.subarray(0, index).toString('base64'), 'place')).toThrow();
    }),
  );
});

test('each purpose has a key of its own, which is the same with the same key', () => {
  const [own, other] = [new Secrets(Buffer.alloc(32, 1)), new Secrets(Buffer.alloc(32, 2))];
  const keys = [own.keyFor('a'), own.keyFor('b'), other.keyFor('a'), Buffer.alloc(32, 1)].map((one) => one.toString('hex'));
  expect(new Set(keys).size).toBe(4);
  expect(new Secrets(Buffer.alloc(32, 1)).keyFor('a').toString('hex')).toBe(keys[0]);
});
