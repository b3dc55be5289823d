import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BigQuery } from '@google-cloud/bigquery';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { takesAtMost } from '../../../infra/machine/goal.fixture.ts';
import { freePorts } from '../../../infra/machine/ports.ts';
import { Credentials } from './credentials.ts';

/** Environment variables that the tests clear, so that only a metadata server can provide credentials. */
const SETTINGS = ['GOOGLE_APPLICATION_CREDENTIALS', 'METADATA_SERVER_DETECTION', 'GCE_METADATA_IP', 'CLOUDSDK_CONFIG'];
const URL = 'https://bigquery.googleapis.com';
const servers: Server[] = [];
let folder: string;
let printed: string[];
const warned = ({ name }: Error): unknown => printed.push(name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-credentials-'));
  printed = [];
  for (const name of SETTINGS) vi.stubEnv(name, '');
  vi.stubEnv('HOME', folder);
  vi.stubEnv('GCE_METADATA_HOST', '127.0.0.1:1');
  vi.spyOn(console, 'warn').mockImplementation((text) => printed.push(text));
  process.on('warning', warned);
});
afterEach(() => {
  process.off('warning', warned);
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
});

const credentials = (keyFile?: string): Credentials =>
  new Credentials({ auth: new BigQuery({ projectId: 'p' }).authClient, keyFile, deadlineMs: 20_000 });

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void, port = 0): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const metadata =
  (status = 200) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    response.setHeader('metadata-flavor', 'Google');
    if (!request.url!.includes('/token')) return void response.end('{}');
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(status === 200 ? '{"access_token":"t","expires_in":3600,"token_type":"Bearer"}' : '{}');
  };

/** Writes a file with external account credentials, which are exchanged for a token at `address`. */
function exchanged(address: string): string {
  const subject = join(folder, 'subject');
  writeFileSync(subject, 'subject');
  const file = join(folder, 'exchanged.json');
  const content = {
    type: 'external_account',
    audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `http://${address}/token`,
    credential_source: { file: subject },
  };
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const tokens =
  (status: number) =>
  (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    const token = { access_token: 'exchanged', expires_in: 3600, token_type: 'Bearer', issued_token_type: 'x' };
    response.end(JSON.stringify(status === 200 ? token : { error: 'invalid_grant', error_description: 'secret' }));
  };

test.each([
  ['refuses', () => Promise.resolve('127.0.0.1:1')],
  ['never answers', () => serve(() => {})],
  ['is not Google’s', () => serve((_, response) => void response.end('hello'))],
])('a call fails within seconds and prints nothing if the metadata server %s', async (_, place) => {
  vi.stubEnv('GCE_METADATA_HOST', await place());
  await takesAtMost(6_000, 'the failure', () =>
    expect(credentials().headers(URL)).rejects.toMatchObject({ reason: 'noCredentials' }),
  );
  await sleep(0);
  expect(printed).toEqual([]);
});

test('a Google Cloud machine uses its attached service account, even if the metadata server starts late', async () => {
  const [port] = await freePorts(1);
  vi.stubEnv('GCE_METADATA_HOST', `127.0.0.1:${port}`);
  const one = credentials();
  const asked = one.headers(URL);
  await sleep(300);
  await serve(metadata(), port);
  expect((await asked).get('authorization')).toBe('Bearer t');
  expect((await one.headers(URL)).get('authorization')).toBe('Bearer t');
  expect(printed).toEqual([]);
});

test('a Google Cloud machine without a service account reports missing credentials, not a missing dataset', async () => {
  vi.stubEnv('GCE_METADATA_HOST', await serve(metadata(404)));
  await expect(credentials().headers(URL)).rejects.toMatchObject({ reason: 'noCredentials', status: 404 });
});

test('METADATA_SERVER_DETECTION=none skips the request to the metadata server', async () => {
  vi.stubEnv('METADATA_SERVER_DETECTION', 'none');
  await takesAtMost(1_000, 'the failure', () =>
    expect(credentials().headers(URL)).rejects.toMatchObject({ reason: 'noCredentials' }),
  );
});

test.each(['key_file', 'GOOGLE_APPLICATION_CREDENTIALS'])('a file named by %s is used without a warning', async (by) => {
  const file = exchanged(await serve(tokens(200)));
  if (by !== 'key_file') vi.stubEnv(by, file);
  const one = credentials(by === 'key_file' ? file : undefined);
  expect((await one.headers(URL)).get('authorization')).toBe('Bearer exchanged');
  expect(printed).toEqual([]);
});

test('refused credentials are distinguished from an unreachable token server', async () => {
  const file = exchanged(await serve(tokens(400)));
  await expect(credentials(file).headers(URL)).rejects.toMatchObject({ reason: 'authError', message: 'authError' });
  const away = exchanged('127.0.0.1:1');
  await expect(credentials(away).headers(URL)).rejects.toMatchObject({ reason: 'unreachable' });
});

test.each([
  ['does not exist', undefined],
  ['is not JSON', '-----BEGIN PRIVATE KEY-----'],
  ['has no key', '{}'],
  ['has a truncated key', '{"type":"service_account","client_email":"a@b","private_key":"-----BEGIN PRIVATE KEY-----\\nMII"}'],
])('a key file that %s is reported as an invalid key file', async (_, content) => {
  const file = join(folder, 'key.json');
  if (content !== undefined) writeFileSync(file, content);
  await expect(credentials(file).headers(URL)).rejects.toMatchObject({ reason: 'keyFile' });
  expect(printed).toEqual([]);
});
