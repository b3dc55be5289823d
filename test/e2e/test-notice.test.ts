import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aorta } from './command.ts';

/** Tests `aorta pulls --test-notice` with a real receiver. */

const folder = mkdtempSync(join(tmpdir(), 'aorta-test-notice-'));
const SECRET = `whsec_${Buffer.from('only this test knows this secret').toString('base64')}`;
const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
let status = 204;
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (part) => (body += part));
  request.on('end', () => {
    received.push({ headers: request.headers, body });
    response.writeHead(status).end('planted answer');
  });
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  port = (receiver.address() as AddressInfo).port;
});
afterAll(async () => {
  receiver.closeAllConnections();
  if (receiver.listening) await new Promise((closed) => receiver.close(closed));
  rmSync(folder, { recursive: true, force: true });
});

function configure(notices: string): void {
  writeFileSync(join(folder, 'aorta.yaml'), `sources: [{ type: files, paths: [./incoming] }]\nhistorical_pulls: ${notices}\n`);
}

const signed = (): string =>
  `{ notices: { webhook: "http://127.0.0.1:${port}/planted-path", secret: "${SECRET}", authentication: { value: planted-token } } }`;

test('--test-notice sends a signed notice with the authentication header, and exits with code 0 if the notice is accepted', async () => {
  configure(signed());
  const { code, stdout, stderr } = await aorta(folder, ['pulls', '--test-notice']);
  expect(code, stderr).toBe(0);
  const [notice, ...others] = received.splice(0);
  expect(others).toEqual([]);
  const verified = new Webhook(SECRET).verify(notice!.body, notice!.headers as Record<string, string>);
  expect(verified).toMatchObject({ event: 'historical_pull.test' });
  expect(notice!.headers.authorization).toBe('planted-token');
  expect(stdout).toContain(`127.0.0.1:${port} accepted the notice (status 204). It was signed`);
  expect(stdout + stderr).not.toMatch(/planted|whsec_/);
});

test('--test-notice exits with code 1 if the notice is refused, and with code 75 if the receiver is unreachable', async () => {
  configure(signed());
  status = 500;
  const refused = await aorta(folder, ['pulls', '--test-notice']);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('AORTA-NOTICE-REFUSED')]);
  expect(refused.stderr).toContain('500');
  await new Promise((closed) => receiver.close(closed));
  const gone = await aorta(folder, ['pulls', '--test-notice']);
  expect([gone.code, gone.stderr]).toEqual([75, expect.stringContaining('AORTA-NOTICE-UNREACHABLE')]);
  expect(gone.stderr).toContain('ECONNREFUSED');
  for (const { stdout, stderr } of [refused, gone]) expect(stdout + stderr).not.toMatch(/planted|whsec_/);
});

test('without a webhook, --test-notice exits with code 2 and names the setting', async () => {
  configure('{}');
  const { code, stderr } = await aorta(folder, ['pulls', '--test-notice']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('historical_pulls.notices.webhook')]);
});
