// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration uses this syntax for variables
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load, openWarehouse } from 'aorta';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aorta } from '../faults/command-line.ts';

const event = (id: string) =>
  JSON.stringify({
    event_type: 'daily.data.activity.created',
    user_id: 'u',
    data: { id, calendar_date: '2026-05-01', steps: 77, source: { provider: 'oura' } },
  });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-unset-'));
  mkdirSync(join(folder, 'incoming'));
  writeFileSync(join(folder, 'incoming/events.jsonl'), `${event('a')}\n`);
  configure('');
});
afterEach(() => rmSync(folder, { recursive: true }));

function configure(more: string, sources = ['{ type: files, paths: ["${INCOMING}"] }']): void {
  const warehouse = 'warehouse: { type: duckdb, path: health.duckdb, memory: "${MEMORY}" }';
  writeFileSync(join(folder, 'aorta.yaml'), `sources: [${sources.join(', ')}]\n${warehouse}\n${more}\n`);
}

const hubs = '{ type: event-hubs, connection: "${HUBS_CONNECTION}" }';
const service = 'service: { base_url: "http://127.0.0.1:1", key: "${SERVICE_KEY}" }';
const memory = { MEMORY: '256MB' };
const steps = ['query', 'select steps from activity', '--csv'];

test('a run of one part works without the variables of the other parts', async () => {
  configure(`${service}\nhistorical_pulls: { notices: { webhook: "http://127.0.0.1:1", secret: "\${NOTICES_SECRET}" } }`);
  const ingestion = await aorta(folder, ['run', '--once', '--only', 'ingestion', '--json'], '', { INCOMING: 'incoming' });
  expect(ingestion).toMatchObject({ code: 0 });
  expect(JSON.parse(ingestion.out)).toMatchObject({ received: 1, streams: { activity: 1 } });
  expect(await aorta(folder, ['run', '--once', '--only', 'loading'], '', memory)).toMatchObject({ code: 0 });
  expect(await aorta(folder, steps, '', memory)).toMatchObject({ code: 0, out: 'steps\r\n77\r\n' });

  configure('historical_pulls: {}');
  expect(await aorta(folder, ['run', '--once', '--only', 'enrichment'])).toMatchObject({ code: 0 });
});

test('a file can be loaded and queried without the secrets of the sources and of the service', async () => {
  configure(service, [hubs]);
  expect(await aorta(folder, ['load', 'incoming'], '', memory)).toMatchObject({ code: 0 });
  expect(await aorta(folder, steps, '', memory)).toMatchObject({ code: 0, out: 'steps\r\n77\r\n', err: '' });
  expect(await aorta(folder, [...steps, '--warehouse', 'duckdb:health.duckdb'], '', memory)).toMatchObject({ code: 0 });
});

test('the library needs the variables of the sections that a function opens', async () => {
  configure(service, [hubs]);
  await load('incoming', { folder, environment: memory });
  await using warehouse = openWarehouse({ folder, environment: memory });
  for await (const row of warehouse.query('select steps from activity')) expect(row).toEqual({ steps: 77n });
  expect(() => openWarehouse({ folder, environment: {} })).toThrow('the environment variable MEMORY is not set');
  await expect(load('incoming', { folder, environment: {} })).rejects.toThrow('the environment variable MEMORY is not set');
});

test('status names the sources whose secrets are not set, and does not ask them', async () => {
  configure('', ['{ type: files, paths: [incoming] }', hubs, '{ type: kafka, name: "k", connection: "${KAFKA}" }']);
  await aorta(folder, ['load', 'incoming'], '', memory);
  const { code, out } = await aorta(folder, ['status'], '', memory);
  expect(code).toBe(0);
  expect(out).toContain(
    'Source event-hubs was not asked for its readers and problems: aorta.yaml:1: the environment variable HUBS',
  );
  const { unanswered, tables } = JSON.parse((await aorta(folder, ['status', '--json'], '', memory)).out);
  expect(unanswered).toEqual([
    { source: 'event-hubs', code: 'AORTA-CONFIG-VARIABLE' },
    { source: 'k', code: 'AORTA-CONFIG-VARIABLE' },
  ]);
  expect(tables).toMatchObject({ activity: 1 });
});

test('doctor names the variables that are not set, and makes the other checks', async () => {
  configure(service, ['{ type: files, paths: [incoming] }', hubs]);
  await aorta(folder, ['load', 'incoming'], '', memory);
  const findings = async (environment: Record<string, string>) => {
    const { code, out } = await aorta(folder, ['doctor', '--json'], '', environment);
    expect(code).toBe(1);
    return (JSON.parse(out) as { check: string; state: string; found: string }[]).filter(({ check }) => check !== 'node');
  };
  const some = await findings(memory);
  expect(some.filter(({ state }) => state === 'fail').map(({ check, found }) => `${check} ${found}`)).toEqual([
    'configuration aorta.yaml:1: the environment variable HUBS_CONNECTION is not set.',
    'configuration aorta.yaml:3: the environment variable SERVICE_KEY is not set.',
  ]);
  const checks = ['sources', 'streams folder', 'data folder', 'lock', 'streams', 'warehouse', 'tables', 'privacy'];
  expect(some.map(({ check }) => check)).toEqual(expect.arrayContaining(checks));
  const none = await findings({});
  expect(none.map(({ found }) => found)).toContain('aorta.yaml:2: the environment variable MEMORY is not set.');
  expect(none.find(({ check }) => check === 'streams')?.found).toContain('the lag of the tables is unknown');
  expect(none.map(({ check }) => check)).not.toContain('warehouse');
});
