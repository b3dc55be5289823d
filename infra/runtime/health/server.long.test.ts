import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMetrics } from '../metrics/prometheus.ts';
import { Progress, watchProgress } from './progress.ts';
import { type HealthServer, openHealthServer } from './server.ts';

let now = 1_700_000_000_000;
let progress: Progress;
let server: HealthServer;
const url = (path: string): string => `http://127.0.0.1:${server.port}${path}`;

beforeEach(async () => {
  progress = new Progress({ clock: () => now });
  const metrics = createMetrics({ process: true });
  watchProgress(metrics, progress);
  server = await openHealthServer({ host: '127.0.0.1', port: 0, progress, metrics });
});
afterEach(() => server.close());

test('during a stall, /readyz returns 503 with the list of stalls, and /metrics shows the lag of the lane', async () => {
  expect((await fetch(url('/livez'))).status).toBe(200);
  const ready = await fetch(url('/readyz'));
  expect([ready.status, await ready.json()]).toEqual([200, { ready: true, reasons: [] }]);

  const since = new Date(now).toISOString();
  const lane = progress.lane({ kind: 'partition', reader: 'hub', of: '0' }, { part: 'consumer hub' });
  lane.report({ position: 5, end: 9, receivedAt: now - 1000, state: 'reading' });
  now += 61_000;
  const red = await fetch(url('/readyz'));
  expect([red.status, await red.json()]).toEqual([
    503,
    {
      ready: false,
      reasons: [{ reason: 'partition 0 of source hub has been at 5 for 61 s with 4 deliveries waiting (reading)', since }],
    },
  ]);
  const metrics = await fetch(url('/metrics'));
  expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await metrics.text();
  for (const line of [
    'aorta_ready 0',
    'aorta_source_lag{source="hub",partition="0"} 4',
    'aorta_source_lag_seconds{source="hub",partition="0"} 62',
    'aorta_source_state{source="hub",partition="0",state="reading"} 1',
  ])
    expect(text.split('\n')).toContain(line);
  expect((await fetch(url('/livez'))).status).toBe(200);
});

test('/readyz shows control characters in names as escapes of JSON', async () => {
  const lane = progress.lane({ kind: 'partition', reader: 'hub\u009b2J', of: '0' }, { part: 'consumer hub' });
  lane.report({ position: 5, end: 9, receivedAt: now - 1000, state: 'reading' });
  now += 61_000;
  const text = await (await fetch(url('/readyz'))).text();
  expect(text).toContain('hub\\u009b2J');
  expect(JSON.parse(text).reasons[0].reason).toContain('hub\u009b2J');
});

test('the server answers other methods with 405 and unknown paths with 404', async () => {
  const posted = await fetch(url('/readyz'), { method: 'POST', body: 'x'.repeat(100_000) });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
  expect((await fetch(url('/secrets'))).status).toBe(404);
  expect((await fetch(url('/readyz?verbose=1'))).status).toBe(200);
});

test('the server rejects large headers with 431, and can close while a request is unfinished', async () => {
  expect((await fetch(url('/livez'), { headers: { 'x-long': 'x'.repeat(10_000) } })).status).toBe(431);
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET /livez HTTP/1.1\r\n');
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await server.close();
  await closed;
});

test('openHealthServer rejects with a setup error if the port is in use', async () => {
  const taken = openHealthServer({ host: '127.0.0.1', port: server.port, progress, metrics: createMetrics() });
  await expect(taken).rejects.toMatchObject({ code: 'AORTA-HEALTH-PORT', class: 'setup', details: { code: 'EADDRINUSE' } });
});
