import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { startEventHubs } from '@aorta/event-hubs-server';
import { openHealthServer, Progress } from '@aorta/runtime';
import { createMetrics } from '@aorta/runtime/prometheus';
import { startService } from '@aorta/service';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { EVENT, NOW, serveEndpoint, signature } from '../../connectors/webhook/served.fixture.ts';
import { startEmulator } from '../../infra/bigquery/emulator/start-emulator.ts';
import { inTime } from '../../infra/machine/waiting.fixture.ts';

/** A name that the user allows, as in a Compose file. */
const ALLOWED = 'aorta.internal';
const allowedHosts = [ALLOWED];

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** A server, a request that changes its state, and a check of whether it did. */
interface LocalServer extends AsyncDisposable {
  readonly port: number;
  readonly asked: Asked;
  /** Status of an accepted request. */
  readonly status: number;
  state(): unknown;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends a request with exactly these headers, and returns the answer as far as the server sends one. */
async function ask(
  port: number,
  { method, path, headers = [], body = '' }: Asked,
  { from, version = '1.1' }: { readonly from: readonly string[]; readonly version?: '1.0' | '1.1' },
): Promise<Answer> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
    // A WebSocket stays open.
    if (text.startsWith('HTTP/1.1 101')) socket.destroy();
  });
  const own = headers.some((header) => /^connection:/i.test(header)) ? [] : ['connection: close'];
  const lines = [`${method} ${path} HTTP/${version}`, ...from, ...own, ...headers, `content-length: ${Buffer.byteLength(body)}`];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  await inTime('the end of the connection', once(socket, 'close'), () => text);
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text };
}

const json = ['content-type: application/json'];
const upgrade = [
  'connection: Upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-protocol: AMQPWSB10',
];

const portOf = (url: string): number => Number(new URL(url).port);

const servers: Readonly<Record<string, () => Promise<LocalServer>>> = {
  'the API of the service': async () => {
    const served = await startService({ runs: false, allowedHosts });
    const { service } = served;
    const { api_key: key } = service.teams.create('first');
    return {
      port: portOf(served.url),
      asked: {
        method: 'POST',
        path: '/v2/link/connect/demo',
        headers: [...json, `x-service-api-key: ${key}`],
        body: '{"user_id":"6f1e2b3c-0000-4000-8000-000000000001","provider":"oura"}',
      },
      status: 404,
      // The log has every request that the API has seen.
      state: () => service.requests.after(0),
      [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
    };
  },
  'the control port of the service': async () => {
    const served = await startService({ runs: false, allowedHosts });
    return {
      port: portOf(served.controlUrl),
      asked: { method: 'POST', path: '/teams', headers: json, body: '{"name":"x"}' },
      status: 200,
      state: () => served.service.teams.list(),
      [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
    };
  },
  'the control port of Event Hubs': async () => {
    const server = await startEventHubs({ hubs: [{ name: 'h', partitions: 1 }], allowedHosts });
    return {
      port: server.controlPort,
      // A page may send this content type without a preflight.
      asked: { method: 'POST', path: '/recreate', headers: ['content-type: text/plain'], body: '{"hub":"h"}' },
      status: 200,
      state: async () => (await server.faults.state()).hubs,
      [Symbol.asyncDispose]: () => server.stop(),
    };
  },
  'the WebSockets of Event Hubs': async () => {
    const server = await startEventHubs({ hubs: [{ name: 'h', partitions: 1 }], allowedHosts });
    return {
      port: server.port,
      asked: { method: 'GET', path: '/$servicebus/websocket', headers: upgrade },
      status: 101,
      state: async () => (await server.faults.state()).connections,
      [Symbol.asyncDispose]: () => server.stop(),
    };
  },
  'HTTP on the port of Event Hubs': async () => {
    const server = await startEventHubs({ hubs: [{ name: 'h', partitions: 1 }], allowedHosts });
    return {
      port: server.port,
      asked: { method: 'GET', path: '/' },
      status: 426,
      state: () => null,
      [Symbol.asyncDispose]: () => server.stop(),
    };
  },
  'the health port': async () => {
    const server = await openHealthServer({
      host: '127.0.0.1',
      port: 0,
      allowedHosts,
      progress: new Progress(),
      metrics: createMetrics(),
    });
    return {
      port: server.port,
      asked: { method: 'GET', path: '/metrics' },
      status: 200,
      state: () => null,
      [Symbol.asyncDispose]: () => server.close(),
    };
  },
};

const noBigQuery = await whyNoBigQuery({ own: true });
const bigQueryServers: typeof servers = {
  'the API of BigQuery': async () => {
    const server = await provideBigQuery({ own: true, allowedHosts });
    return {
      port: portOf(server.apiEndpoint!),
      asked: {
        method: 'POST',
        path: '/bigquery/v2/projects/test/queries',
        headers: json,
        body: '{"query":"select 1","useLegacySql":false}',
      },
      status: 200,
      state: () => server.control!.state().then(({ calls }) => calls),
      [Symbol.asyncDispose]: () => server.stop(),
    };
  },
  'the control port of BigQuery': async () => {
    const server = await provideBigQuery({ own: true, allowedHosts });
    return {
      port: server.controlPort!,
      asked: { method: 'POST', path: '/advance', body: '3600000' },
      status: 200,
      state: () => server.control!.state().then(({ now }) => Math.floor(now / 3_600_000)),
      [Symbol.asyncDispose]: () => server.stop(),
    };
  },
};

const evilHosts = [
  'evil.example',
  'evil.example:8091',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'localhost@evil.example',
  '127.0.0.1:1/evil.example',
  'notlocalhost',
  '10.0.0.1',
  '',
];
const evilOrigins = [
  'https://evil.example',
  'null',
  '',
  'http://localhost:1',
  'http://127.0.0.1',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'file://',
  'chrome-extension://abcdefgh',
  `http://${ALLOWED}.evil.example`,
  'http://localhost@evil.example',
  `http://${ALLOWED}, http://evil.example`,
];

describe.each(Object.entries({ ...servers, ...(noBigQuery === undefined ? bigQueryServers : {}) }))('%s', (_, start) => {
  let server: LocalServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test('answers clients on this machine and with allowed names', async () => {
    const { port, asked, status } = server;
    const ofMachine = [
      'localhost',
      `localhost:${port}`,
      `127.0.0.1:${port}`,
      `[::1]:${port}`,
      `LOCALHOST.:${port}`,
      'localhost:1',
    ];
    for (const host of [...ofMachine, ALLOWED, `Aorta.Internal:${port}`]) {
      const page = `origin: http://${host.toLowerCase()}`;
      expect([host, (await ask(port, asked, { from: [`host: ${host}`] })).status]).toEqual([host, status]);
      expect([page, (await ask(port, asked, { from: [`host: ${host}`, page] })).status]).toEqual([page, status]);
    }
    const allowedPage = ['host: localhost', `origin: https://${ALLOWED}:3000`];
    expect((await ask(port, asked, { from: allowedPage })).status).toBe(status);
    // Every browser sends Host, so a request without it comes from another program.
    expect((await ask(port, asked, { from: [], version: '1.0' })).status).toBe(status);
  });

  test('refuses pages of other sites and names of other machines with 403, and changes nothing', async () => {
    const { port, asked } = server;
    const before = JSON.stringify(await server.state());
    const cases = [
      ...evilHosts.map((host) => ({ header: 'Host', from: [`host: ${host}`] })),
      ...evilOrigins.map((origin) => ({ header: 'Origin', from: [`host: localhost:${port}`, `origin: ${origin}`] })),
      { header: 'Host', from: ['host: evil.example', 'origin: http://evil.example'] },
    ];
    for (const { header, from } of cases) {
      for (const version of ['1.1', '1.0'] as const) {
        const { status, text } = await ask(port, asked, { from, version });
        expect([from, version, status]).toEqual([from, version, 403]);
        expect(text).toContain(`header ${header} `);
        expect(text).toContain('allowed_hosts');
      }
    }
    const noHost = await ask(port, asked, { from: ['origin: http://evil.example'], version: '1.0' });
    expect(noHost.status).toBe(403);
    expect(JSON.stringify(await server.state())).toBe(before);
  });

  test.each([
    ['another site', 'http://evil.example'],
    ['an allowed site', `http://${ALLOWED}`],
  ])('gives %s no permission in a preflight', async (_, origin) => {
    const preflight = ['access-control-request-method: POST', 'access-control-request-headers: content-type'];
    for (const path of [server.asked.path, '/']) {
      const { status, text } = await ask(
        server.port,
        { method: 'OPTIONS', path, headers: preflight },
        { from: [`host: 127.0.0.1:${server.port}`, `origin: ${origin}`] },
      );
      // The port of Event Hubs speaks AMQP to everything but GET.
      expect(status).not.toBeLessThan(400);
      expect(text).not.toMatch(/^access-control-/im);
    }
  });
});

test.skipIf(noBigQuery !== undefined)('the emulator behind BigQuery answers only the local server', async () => {
  const emulator = await startEmulator({ project: 'test' });
  onTestFinished(() => emulator.stop());
  const port = portOf(emulator.address);
  const asked = { method: 'GET', path: '/bigquery/v2/projects/test/datasets' };
  const statusOf = async (...from: string[]) => (await ask(port, asked, { from })).status;
  for (const host of [`127.0.0.1:${port}`, 'localhost', `[::1]:${port}`]) expect(await statusOf(`host: ${host}`)).toBe(200);
  for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', ''])
    expect(await statusOf(`host: ${host}`)).toBe(403);
  for (const origin of ['http://evil.example', 'null', `http://127.0.0.1:${port}`])
    expect(await statusOf(`host: 127.0.0.1:${port}`, `origin: ${origin}`)).toBe(403);
});

test('a webhook source receives under any public name, because each message has a signature', async () => {
  vi.setSystemTime(NOW);
  onTestFinished(() => void vi.useRealTimers());
  const folder = await mkdtemp(join(tmpdir(), 'hosts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const endpoint = await serveEndpoint({ folder });
  onTestFinished(() => endpoint.close());
  const headers = Object.entries(signature(EVENT)).map(([name, value]) => `${name}: ${value}`);
  const asked = { method: 'POST', path: '/webhook', headers: [...json, ...headers], body: EVENT };
  const from = ['host: hooks.example.com', 'origin: https://example.com', 'x-forwarded-host: example.org'];
  expect((await ask(endpoint.port, asked, { from })).status).toBe(204);
  const preflight = await ask(endpoint.port, { method: 'OPTIONS', path: '/webhook' }, { from });
  expect(preflight.status).toBe(405);
  expect(preflight.text).not.toMatch(/^access-control-/im);
});
