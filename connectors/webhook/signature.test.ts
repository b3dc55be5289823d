import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { isSignedBy, keyOf, signedHeaders, untimely } from './signature.ts';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const signed = (id: string, timestamp: number, body: string, secret = SECRET) => ({
  id,
  timestamp: String(timestamp),
  signature: new Webhook(secret).sign(id, new Date(timestamp * 1000), body),
});

describe('isSignedBy()', () => {
  test('accepts what the reference library signs, for any text', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[\w-]{1,30}$/),
        fc.integer({ min: 0, max: 2 ** 33 }),
        fc.string({ unit: 'binary' }),
        (id, time, body) => {
          const text = body.toWellFormed();
          expect(isSignedBy([keyOf(SECRET)], signed(id, time, text), Buffer.from(text))).toBe(true);
        },
      ),
    );
  });

  test('refuses a change of any single bit of the body, even if the body is not UTF-8', () => {
    const body = Buffer.from([0xff, 0xfe, 0x00, 0x7b, 0x80]);
    const mac = createHmac('sha256', Buffer.alloc(24, 7)).update(Buffer.concat([Buffer.from('msg_1.1700000000.'), body]));
    const headers = { id: 'msg_1', timestamp: '1700000000', signature: `v1,${mac.digest('base64')}` };
    expect(isSignedBy([keyOf(SECRET)], headers, body)).toBe(true);
    for (let bit = 0; bit < body.length * 8; bit += 1) {
      const changed = Buffer.from(body);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(isSignedBy([keyOf(SECRET)], headers, changed)).toBe(false);
    }
  });

  test('accepts any of several signatures with any of several keys', () => {
    const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
    const headers = signed('msg_1', 1_700_000_000, '{}');
    const both = `${signed('msg_1', 1_700_000_000, '{}', other).signature} v1a,xyz ${headers.signature}`;
    const body = Buffer.from('{}');
    expect(isSignedBy([keyOf(other), keyOf(SECRET)], headers, body)).toBe(true);
    expect(isSignedBy([keyOf(SECRET)], { ...headers, signature: both }, body)).toBe(true);
    expect(isSignedBy([keyOf(`whsec_${Buffer.alloc(24, 1).toString('base64')}`)], { ...headers, signature: both }, body)).toBe(
      false,
    );
  });

  test.each(['', 'v1', 'v1,', 'v2,abc', 'garbage', 'v1,é'])('refuses the signature %j', (signature) => {
    const headers = { ...signed('msg_1', 1_700_000_000, '{}'), signature };
    expect(isSignedBy([keyOf(SECRET)], headers, Buffer.from('{}'))).toBe(false);
  });
});

describe('signedHeaders()', () => {
  test('reads the names of Standard Webhooks and of Svix, but does not mix them', () => {
    const read = { id: 'i', timestamp: 't', signature: 's' };
    expect(signedHeaders({ 'webhook-id': 'i', 'webhook-timestamp': 't', 'webhook-signature': 's' })).toEqual(read);
    expect(signedHeaders({ 'svix-id': 'i', 'svix-timestamp': 't', 'svix-signature': 's' })).toEqual(read);
    expect(signedHeaders({ 'svix-id': 'i', 'webhook-timestamp': 't', 'svix-signature': 's' })).toBeUndefined();
    expect(signedHeaders({ 'svix-id': 'i', 'svix-timestamp': 't' })).toBeUndefined();
    expect(signedHeaders({ 'svix-id': '', 'svix-timestamp': 't', 'svix-signature': 's' })).toBeUndefined();
  });
});

describe('untimely()', () => {
  test.each([
    [1000, undefined],
    [1300, undefined],
    [1300.5, 'old'],
    [700, undefined],
    [699.5, 'future'],
  ] as const)('a timestamp of 1000 s is compared with a clock of %d s', (now, expected) => {
    expect(untimely({ id: 'i', timestamp: '1000', signature: 's' }, now, 300)).toBe(expected);
  });

  test.each(['1e3', '-1', '1000.5', ' 1000', 'now', '0x10', '9'.repeat(13)])(
    'the timestamp %j counts as unsigned',
    (timestamp) => {
      expect(untimely({ id: 'i', timestamp, signature: 's' }, 1000, 300)).toBe('unsigned');
    },
  );
});
