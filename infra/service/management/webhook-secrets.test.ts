import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { managedTeam } from './webhooks.fixture.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-service-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const secretOf = (byte: number): string => `whsec_${Buffer.alloc(24, byte).toString('base64')}`;

/** Returns the forms in which bytes can be stored: as they are, and in base64 after 0, 1 or 2 other bytes. */
function formsOf(planted: Buffer): Buffer[] {
  const inBase64 = [0, 1, 2].map((others) => {
    const encoded = Buffer.concat([Buffer.alloc(others), planted]).toString('base64');
    // The characters at both ends hold bits of the neighbours, too.
    return Buffer.from(encoded.slice(others === 0 ? 0 : 4, -4));
  });
  return [planted, ...inBase64];
}

/** Returns all bytes of the folder: the state with its log, and the snapshots. */
function storedBytes(): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return Buffer.concat(files.map((file) => readFileSync(join(file.parentPath, file.name))));
}

test('the state has no secret and no header value in a readable form, and the next service reads them', async () => {
  const path = join(folder, 'service.db');
  const first = managedTeam({ path });
  const { manage, service } = first;
  const [given, rotated] = [secretOf(1), secretOf(2)];
  const created = await manage('POST', '', { url: 'http://x/', description: 'readable description', secret: given });
  const webhook = `/${created.body.id}`;
  const made = await manage('POST', '', { url: 'http://y/' });
  const random: string = (await manage('GET', `/${made.body.id}/secret`)).body.key;
  await manage('PUT', `${webhook}/headers`, { headers: { authorization: 'Bearer planted-before', 'x-own': 'planted-own' } });
  await manage('PUT', `${webhook}/headers`, { headers: { authorization: 'Bearer planted-after' } });
  await manage('POST', `${webhook}/secret/rotate`, { key: rotated });
  service.outbox.add(first.user, 'a', {});
  await service.jobs.settle();
  await service.snapshots.save('one');

  const keys = [given, rotated, random].map((secret) => secret.slice('whsec_'.length));
  const planted = [...keys, 'planted-before', 'planted-own', 'planted-after'].map((text) => Buffer.from(text));
  planted.push(...keys.map((key) => Buffer.from(key, 'base64')));
  const check = () => {
    const bytes = storedBytes();
    expect(bytes.includes('readable description')).toBe(true);
    expect(planted.filter((one) => formsOf(one).some((form) => bytes.includes(form)))).toEqual([]);
  };
  // While the service runs, the newest changes are in the write-ahead log.
  check();
  await first.close();
  check();

  const next = managedTeam({ path });
  try {
    const found = next.service.endpoints.find(created.body.id)!;
    expect(found.secrets.map(({ key }) => key)).toEqual([rotated, given]);
    expect(found.headers).toEqual({ authorization: 'Bearer planted-after' });
  } finally {
    await next.close();
  }
});

const PLANTED = 'planted-7f3a';

test.each<[method: 'POST' | 'PUT', path: string, body: object]>([
  ['POST', '', { url: 'http://x/', secret: PLANTED }],
  ['POST', '', { url: 'http://x/', secret: { [PLANTED]: PLANTED } }],
  ['POST', '', { url: 'http://x/', secret: [PLANTED] }],
  ['POST', '', { url: PLANTED, secret: secretOf(1) }],
  ['POST', '/ID/secret/rotate', { key: PLANTED }],
  ['POST', '/ID/secret/rotate', { key: { [PLANTED]: 1 } }],
  ['PUT', '/ID/headers', { headers: PLANTED }],
  ['PUT', '/ID/headers', { headers: [PLANTED] }],
  ['PUT', '/ID/headers', { headers: { authorization: `${PLANTED}\n` } }],
  ['PUT', '/ID/headers', { headers: { authorization: [PLANTED] } }],
  ['PUT', '/ID/headers', { headers: { [`Authorization: Bearer ${PLANTED}`]: '' } }],
])('the refusal of %s webhook%s %j does not repeat the input', async (method, path, body) => {
  const team = managedTeam();
  try {
    const { body: made } = await team.manage('POST', '', { url: 'http://x/' });
    const { status, text } = await team.manage(method, path.replace('ID', made.id), body);
    expect(status).toBe(422);
    expect(text).not.toContain(PLANTED);
  } finally {
    await team.close();
  }
});

test('the refusal of a body that is not JSON does not repeat it', async () => {
  const team = managedTeam();
  try {
    const { body: made } = await team.manage('POST', '', { url: 'http://x/' });
    const answer = await team.manage('PUT', `/${made.id}/headers`, `{"headers": {"authorization": "${PLANTED}`);
    expect(answer.status).toBe(422);
    expect(answer.text).not.toContain(PLANTED);
  } finally {
    await team.close();
  }
});
