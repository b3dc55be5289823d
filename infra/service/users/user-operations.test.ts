import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createApi, serveApi } from '../api/server.ts';
import { Service } from '../service.ts';
import { clientUserIdProblem } from './user-operations.ts';

test.each([
  'person@example.com',
  'a.b+c@mail.example.org',
  ' person@example.com\n',
  'Jane Doe <jane@example.com>',
  'mailto:person@example.com',
  'MAILTO:person',
  'user:person@example.com',
  'person＠example．com',
  '+14155550171',
  '+442071838750',
  ' +14155550171 ',
  '+1 415 555 0171',
  '+1 (415) 555-0171',
  '+1.415.555.0171',
  '+49-30/231 25 000',
  '+44 (0)20 7946 0958',
  '+1\u00a0415\u2011555\u20130171',
  '(415) 555-0171',
  '415-555-0171',
  '＋14155550171',
  'tel:+1-415-555-0171',
  'tel:4155550171',
  'sms:4155550171',
])('%j is refused, because it is an address or a number of a person', (id) => {
  expect(clientUserIdProblem(id)).toMatch(/^client_user_id must not be /);
});

test.each(['', '  ', '\n', '.', '..', 'x'.repeat(513), '😀'.repeat(513)])('%j is refused', (id) => {
  expect(clientUserIdProblem(id)).toMatch(/^client_user_id must not be /);
});

test.each([
  '4155550171',
  '14155550171',
  '12345',
  '01HZX3',
  'user-1',
  'user-2024-01-31',
  '2024-01-31',
  '123-456-789',
  '6f1e2b3c-0000-4000-8000-000000000001',
  '6F1E2B3C-0000-4000-8000-000000000001',
  'aGVsbG8=',
  'a+b/c==',
  '+',
  '+a',
  'a@b',
  '@handle',
  '...',
  '.a',
  'telephone',
  'tel',
  'x:1',
  'a b',
  'Zoë',
  '😀',
  'x'.repeat(512),
  '😀'.repeat(512),
])('%j is accepted', (id) => {
  expect(clientUserIdProblem(id)).toBe(undefined);
});

test('no message repeats the id', () => {
  expect(clientUserIdProblem('person@example.com')).not.toContain('person');
});

test('every client user id that a user is created with can be resolved, by a client that encodes it', async () => {
  const service = new Service({ runs: false });
  const api = await serveApi(createApi(service.operations, service.authentication));
  const headers = { 'x-service-api-key': service.teams.create('first').api_key };
  const create = (client_user_id: string) =>
    fetch(`${api.url}/v2/user`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ client_user_id }),
    });
  const special = fc.constantFrom(
    '.',
    '..',
    '/',
    '//',
    '%',
    '%2F',
    '%25',
    '?',
    '#',
    '\\',
    ';',
    ':',
    ' ',
    '+',
    '&',
    '\0',
    '\n',
    '~',
  );
  const part = fc.oneof(
    special,
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('\ud800', '\udfff'),
  );
  const id = fc.oneof(
    fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 600, size: 'max' }),
  );
  let accepted = 0;
  try {
    await fc.assert(
      fc.asyncProperty(id, async (client_user_id) => {
        const made = await create(client_user_id);
        const user = (await made.json()) as { client_user_id: string };
        // The same id may come twice.
        if (made.status === 400) return;
        const isText = client_user_id.isWellFormed() && !client_user_id.includes('\0');
        expect(made.status).toBe(isText && clientUserIdProblem(client_user_id) === undefined ? 200 : 422);
        if (made.status === 422) return;
        accepted += 1;
        expect(user.client_user_id).toBe(client_user_id);
        const resolved = await fetch(`${api.url}/v2/user/resolve/${encodeURIComponent(client_user_id)}`, { headers });
        expect([resolved.status, await resolved.json()]).toEqual([200, user]);
      }),
      {
        numRuns: 300,
        examples: ['.', '..', '...', '/', 'a/', '%', '%2e', '%2e%2e', '%E0%A4%A', '\ud800', '\0', '😀'.repeat(512)].map((one) => [
          one,
        ]),
      },
    );
    expect(accepted).toBeGreaterThan(100);
  } finally {
    await api.close();
    await service.close();
  }
});
