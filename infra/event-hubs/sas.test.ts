import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { audiencePath, covers, verifySas } from './sas.ts';

const key = { name: 'reader', key: 'a+b/c=' };
const now = 1_800_000_000;

function token({ resource = 'sb://127.0.0.1:5672/hub', secret = key.key, name = key.name, expiry = now + 60 } = {}): string {
  const encoded = encodeURIComponent(resource);
  const signature = createHmac('sha256', secret).update(`${encoded}\n${expiry}`).digest('base64');
  return `SharedAccessSignature sr=${encoded}&sig=${encodeURIComponent(signature)}&se=${expiry}&skn=${encodeURIComponent(name)}`;
}

const audience = 'sb://127.0.0.1:5672/hub/ConsumerGroups/$Default/Partitions/0';

test('a token is valid only for its resource and the entities below that resource', () => {
  const claim = { path: 'hub/consumergroups/$default/partitions/0', expiry: now + 60 };
  expect(verifySas(token(), audience, key, now)).toEqual({ claim });
  expect(verifySas(token({ resource: 'sb://other.host/' }), audience, key, now)).toEqual({ claim });
  for (const resource of ['sb://127.0.0.1:5672/hub/ConsumerGroups/$Default/Partitions/01', 'sb://h/hu', 'sb://h/other'])
    expect(verifySas(token({ resource }), audience, key, now)).toEqual({ refused: expect.stringMatching(/^InvalidAudience/) });
});

test('a token is refused if its key, key name, expiry or format is wrong', () => {
  const refusals: [string, RegExp][] = [
    [token({ secret: 'other' }), /^InvalidSignature/],
    [token({ name: 'writer' }), /^InvalidSignature/],
    [token({ expiry: now }), /^ExpiredToken/],
    [token().replace(`se=${now + 60}`, `se=${now + 61}`), /^InvalidSignature/],
    [token().replace('SharedAccessSignature ', 'Bearer '), /^MalformedToken/],
    [token().replace(/&skn=.*/, ''), /^MalformedToken/],
    ['', /^MalformedToken/],
  ];
  for (const [text, reason] of refusals)
    expect([text, verifySas(text, audience, key, now)]).toEqual([text, { refused: expect.stringMatching(reason) }]);
});

test('a token with one changed character is refused', () => {
  const whole = token();
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.constantFrom('A', '0', '%', '&', ' '), (at, character) => {
      fc.pre(whole[at] !== character);
      // Percent-encoding is case-insensitive, so a token may stay valid if only the case of a character changes.
      const changed = whole.slice(0, at) + character + whole.slice(at + 1);
      fc.pre(changed.toLowerCase() !== whole.toLowerCase());
      expect('refused' in verifySas(changed, audience, key, now)).toBe(true);
    }),
  );
});

test('a path covers an entity only if it matches whole segments of the entity’s path', () => {
  expect([covers('', 'a/b'), covers('a', 'a/b'), covers('a', 'ab'), covers('a/b', 'a')]).toEqual([true, true, false, false]);
  expect(audiencePath('sb://host:1/Hub/$management/')).toBe('hub/$management');
});
