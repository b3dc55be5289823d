import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { cursorOf, cursorSchema } from './cursor.ts';

const schema = cursorSchema(z.tuple([z.int(), z.string()]));

test('a position comes back from its cursor', () => {
  const position = fc.tuple(
    fc.maxSafeInteger().map((number) => number + 0),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(position, (one) => {
      expect(schema.parse(cursorOf(one))).toEqual(one);
    }),
  );
});

test.each([
  ['no text of a cursor', 'None'],
  ['nothing', ''],
  ['another form', cursorOf([1])],
  ['an additional character', `${cursorOf([1, 'a'])}x`],
  ['spaces in its JSON', Buffer.from('[1, "a"]').toString('base64url')],
  ['padding', `${cursorOf([1, 'a'])}=`],
])('a cursor with %s is refused', (_, text) => {
  expect(schema.safeParse(text).success).toBe(false);
});
