import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { inTime, until } from '../../infra/machine/waiting.fixture.ts';
import { aorta, type Ended } from '../e2e/command.ts';

/** Writes recognizable values into files that fail at different stages. No output may contain any of the values. */

const NAME = 'Ottilie-Planted';
const MAIL = 'planted@example.org';
const GLUCOSE = '7.77123';
const program = join(import.meta.dirname, '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');
const root = mkdtempSync(join(tmpdir(), 'aorta-planted-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const at = '2026-03-28T12:00:00Z';
let offset = 0;

function line(body: unknown, more: object = {}): string {
  return JSON.stringify({ source: 'hub', partition: 0, offset: offset++, received_at: at, headers: {}, body, ...more });
}

const user = '5a3f0000-0000-4000-8000-000000000001';
const glucose = (data: unknown, more: object = {}) => ({
  event_type: 'daily.data.glucose.created',
  user_id: user,
  data,
  ...more,
});
const sample = { timestamp: at, unit: 'mmol/L', value: Number(GLUCOSE), [NAME]: MAIL };
const lab = (event_type: string, data: unknown): string => line({ event_type, user_id: user, data });
const base64 = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64');
const zipped = gzipSync(JSON.stringify(glucose({ data: [sample] })));

/** Bodies that fail at different stages: decompression, parsing, envelope, route, reader, sample, value. */
const deliveries = [
  line(undefined, { headers: { 'content-encoding': 'gzip' }, body_base64: base64(`${NAME} ${MAIL} ${GLUCOSE}`) }),
  line(undefined, { headers: { 'content-encoding': 'gzip' }, body_base64: base64(zipped.subarray(0, zipped.length - 12)) }),
  line(undefined, { body_base64: base64(`{"${NAME}": ${GLUCOSE}, "${MAIL}"`) }),
  line(undefined, {
    body_base64: base64(Buffer.concat([Buffer.from(`{"${NAME}":"`), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])),
  }),
  line([NAME, MAIL, Number(GLUCOSE)]),
  line(MAIL),
  line({ [NAME]: MAIL, value: Number(GLUCOSE) }),
  line({ event_type: NAME, user_id: user, data: { [MAIL]: Number(GLUCOSE) } }),
  line(glucose({ data: [sample] }, { user_id: undefined })),
  line(glucose(Number(GLUCOSE))),
  line(glucose({ data: { [NAME]: MAIL } })),
  line(glucose({ data: [sample] }), { headers: { 'event-type': 'daily.data.sleep.created' } }),
  line(glucose({ data: [sample] }), { headers: { 'user-id': MAIL } }),
  line(
    glucose({
      data: [sample, { ...sample, timestamp: NAME }, GLUCOSE, { ...sample, value: NAME, unit: { [MAIL]: 1 } }],
      source: { provider: 'dexcom', [NAME]: MAIL },
    }),
  ),
  // A valid note, a note with wrong types, and a note whose start is not a time.
  line({
    event_type: 'daily.data.note.created',
    user_id: user,
    data: {
      data: [
        { start: at, end: at, value: `${NAME} ${MAIL}`, tags: [NAME] },
        { start: at, end: MAIL, value: { [NAME]: MAIL }, tags: [{ [NAME]: GLUCOSE }] },
        { start: NAME, value: MAIL },
      ],
    },
  }),
  line({
    event_type: 'daily.data.body_temperature.created',
    user_id: user,
    data: { data: [{ start: at, value: Number(GLUCOSE), sensor_location: { [NAME]: MAIL } }] },
  }),
  line({ event_type: 'daily.data.activity.created', user_id: user, data: { steps: Number(GLUCOSE), [NAME]: MAIL } }),
  line({
    event_type: 'daily.data.activity.created',
    user_id: user,
    data: { id: 'a', steps: Number(GLUCOSE), distance: MAIL, time_zone: { [NAME]: 1 }, calendar_date: NAME },
  }),
  line({
    event_type: 'provider.connection.created',
    user_id: user,
    data: { provider: { slug: 'oura', [NAME]: 1 }, external_user_id: MAIL, resource_availability: { [NAME]: MAIL } },
  }),
  lab('labtest.order.created', { id: 'o', patient_details: { first_name: NAME }, events: [{ id: MAIL, status: NAME }] }),
  lab('labtest.order.updated', { patient_address: NAME, requisition_form_url: MAIL }),
  lab('labtest.appointment.created', { id: 'p', address: NAME, location: { lat: MAIL, lng: NAME }, start_at: NAME }),
  lab('labtest.result.critical', { order_id: 'o', sample_id: { [NAME]: MAIL } }),
  lab('labtest.match_review.created', { id: 'r', sub_reason_codes: [NAME, 7] }),
  lab('lab_report.parsing_job.updated', { id: 'j', data: { metadata: { dob: 7 }, results: [NAME, MAIL] } }),
  lab('continuous_query.result_table.changed', [MAIL, { [NAME]: Number(GLUCOSE) }]),
  lab('continuous_query.result_table.changed', { [NAME]: MAIL }),
  lab('provider.device.created', { id: 'd', device_id: NAME, device_model: { [NAME]: MAIL } }),
  lab('raw.fitbit.profile', { name: NAME, mail: MAIL, glucose: Number(GLUCOSE) }),
];

const files: Record<string, string | Buffer> = {
  'deliveries.ndjson': `${deliveries.join('\n')}\n`,
  'broken.ndjson': `{"source":"hub","partition":1,"offset":0,"received_at":"${NAME}","headers":{},"body":{"${MAIL}":${GLUCOSE}}}\n{"event_type": "${NAME}", "value": ${GLUCOSE}\n${NAME} ${MAIL}\n`,
  'event.json': JSON.stringify(glucose({ data: [{ ...sample, timestamp: MAIL }] })),
  'array.json': JSON.stringify([glucose({ data: [sample] }), NAME, { [MAIL]: Number(GLUCOSE) }]),
  'cut.json': JSON.stringify(glucose({ data: [sample] })).slice(0, -9),
  'cut.ndjson.gz': gzipSync(`${line(glucose({ data: [sample] }), { partition: 2 })}\n`.repeat(3)).subarray(0, 200),
  'descending.ndjson': [5, 4].map((at) => line(glucose({ data: [sample] }), { partition: 3, offset: at })).join('\n'),
};

function clean(said: Ended, what: string): void {
  for (const planted of [NAME, MAIL, GLUCOSE]) {
    expect(said.stdout.includes(planted), `${what} prints ${planted} to standard output`).toBe(false);
    expect(said.stderr.includes(planted), `${what} prints ${planted} to standard error`).toBe(false);
  }
}

test('personal values in the input are not printed, logged or thrown', async () => {
  const warehouse = ['--warehouse', 'duckdb:health.duckdb'];
  const input = join(root, 'input');
  mkdirSync(input);
  writeFileSync(join(root, 'aorta.yaml'), 'log:\n  level: debug\n');
  for (const [name, content] of Object.entries(files)) writeFileSync(join(input, name), content);

  // Loads each file separately, because some files end the load. Then runs the commands that an operator would use.
  let refused = 0;
  for (const name of Object.keys(files)) {
    const said = await aorta(root, ['load', join('input', name), '--received-at', at, '--json', ...warehouse]);
    clean(said, `load ${name}`);
    if (said.code !== 0) expect(said.stderr, `load ${name} prints an error code`).toMatch(/AORTA-/);
    const report =
      said.stdout === ''
        ? { dead_letters: {}, unrouted: 0, partial: {} }
        : (JSON.parse(said.stdout) as {
            dead_letters: Record<string, number>;
            unrouted: number;
            partial: Record<string, number>;
          });
    refused += Object.values(report.dead_letters).reduce((total, count) => total + count, 0) + report.unrouted;
    if (name === 'deliveries.ndjson') {
      expect(Object.keys(report.dead_letters).length, 'number of different reasons').toBeGreaterThanOrEqual(8);
      const parts = ['sample_key_repeated', 'sample_not_an_object', 'sample_without_time', 'value_does_not_fit'];
      expect(Object.keys(report.partial).sort()).toEqual(parts);
    }
  }
  expect(refused).toBeGreaterThan(12);

  const looks = [
    ['status'],
    ['streams'],
    ['tail', '--once'],
    ['dlq', 'list'],
    ['dlq', 'list', '--json'],
    ['dlq', 'show', 'hub/0/0'],
    ['doctor'],
    ['schema'],
  ];
  for (const words of looks) clean(await aorta(root, [...words, ...warehouse]), words.join(' '));
  // An error in a query must not quote a value either.
  const failing = await aorta(root, [
    'query',
    'select cast(to_json(timeseries)::varchar as integer) from timeseries',
    ...warehouse,
  ]);
  expect(failing.code).toBe(2);
  clean(failing, 'a failing query');
});

test('personal values in the input are not in the metrics or the log of a run', async () => {
  const folder = join(root, 'watched');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'aorta.yaml'),
    'sources: [{ type: files, name: inbox, paths: [../input], received_at: 2026-03-28T12:00:00Z }]\nhealth: { port: 0 }\nlog: { level: debug }\n',
  );
  const child = spawn(process.execPath, [program, 'run', '--no-supervise'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { code: null as number | null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text;
  });
  const served = new Promise<string>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said.stderr += text;
      const port = /"port":(\d+),"msg":"health server started"/.exec(said.stderr)?.[1];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    });
  });
  const ended = once(child, 'close');
  const failed = ended.then(() => Promise.reject(new Error(said.stderr)));
  const url = await inTime('the health server', Promise.race([served, failed]), () => said.stderr);
  const read = async (path: string): Promise<string> => (await fetch(`${url}${path}`)).text();
  const metrics = await until(
    'landed dead letters',
    () => read('/metrics'),
    (text) => /^aorta_loading_records_total\{stream="dead_letters"\} [1-9]/m.test(text),
    () => said.stderr.slice(-2000),
  );
  expect(metrics).toContain('aorta_dead_letters_total{source="inbox",reason="not_gzip"} 2');
  expect(metrics).not.toContain('source="hub"');
  clean({ code: 0, stdout: metrics, stderr: await read('/readyz') }, '/metrics and /readyz');
  child.kill('SIGTERM');
  await ended;
  clean(said, 'run');
});

test('only the owner can read the data files', () => {
  const modes = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      const mode = (statSync(path).mode & 0o777).toString(8);
      const wrong = mode === (entry.isDirectory() ? '700' : '600') ? [] : [`${path} ${mode}`];
      return entry.isDirectory() ? [...wrong, ...modes(path)] : wrong;
    });
  expect(modes(join(root, 'health.duckdb.streams'))).toEqual([]);
  expect(statSync(join(root, 'health.duckdb')).mode & 0o777).toBe(0o600);
  expect(statSync(join(root, 'health.published.duckdb')).mode & 0o777).toBe(0o400);
});
