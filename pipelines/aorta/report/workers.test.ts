import { expect, test } from 'vitest';
import { type Waiting, waitingOf } from './backlog.ts';
import { stateOfWorker, type WorkerReport } from './worker-report.ts';
import { type JudgedReport, type WorkingMember, workersOf } from './workers.ts';
import { waitingText, workersText } from './workers-text.ts';

const NOON = Date.parse('2026-03-01T12:00:00.000Z');
const at = (seconds: number): string => new Date(NOON + seconds * 1000).toISOString();
const report = (pid: number, more: Partial<WorkerReport> = {}): WorkerReport => ({
  process: { pid, started: '1', host: 'box', boot: 'b' },
  supervisor: null,
  parts: ['ingestion', 'loading'],
  clients: [],
  sources: ['inbox'],
  started_at: at(-60),
  as_of: at(-1),
  ended_at: null,
  error: null,
  starting: false,
  not_ready: [],
  waits: [],
  lanes: [],
  loader: null,
  source_status: [],
  ...more,
});
const judged = (one: WorkerReport, state: JudgedReport['state'] = 'ready', supervised = false): JudgedReport => ({
  report: one,
  state,
  supervised,
});
const member = (client: string, more: Partial<WorkingMember> = {}): WorkingMember => ({
  part: 'loading',
  group: 'warehouse',
  client,
  host: '10.0.0.7',
  assigned: 3,
  partitions: [],
  ...more,
});
const never = (): boolean => false;

test.each([
  ['ready', {}, 'alive'],
  ['starting', { starting: true, not_ready: ['run has waited for 0 s: starting'] }, 'alive'],
  ['not_ready', { not_ready: ['loading has waited for 90 s: merging'] }, 'alive'],
  ['silent', { as_of: at(-21) }, 'alive'],
  ['ready', { as_of: at(-19) }, 'elsewhere'],
  ['silent', { as_of: at(-21) }, 'elsewhere'],
  ['died', {}, 'gone'],
  ['ended', { ended_at: at(-1) }, 'gone'],
] as const)('a worker has the state %s if its report contains %j and its process is %s', (state, more, whereabouts) => {
  expect(stateOfWorker(report(1, more as Partial<WorkerReport>), NOON, () => whereabouts)).toBe(state);
});

test('a worker with a report and several group memberships is listed once', () => {
  const own = report(7, { parts: ['loading'], clients: ['aorta-loading-box-7'], lanes: [lane('warehouse', 'sleep/1', 9)] });
  const partitions = [
    { of: 'sleep', partition: 1, lag: 4 },
    { of: 'sleep', partition: 2, lag: 0 },
  ];
  const members = [
    member('aorta-loading-box-7', { partitions }),
    member('aorta-loading-box-7-merges', { part: 'merging', group: 'merges' }),
    member('aorta-loading-far-3', { partitions: [{ of: 'sleep', partition: 0, lag: 5 }] }),
  ];
  const workers = workersOf([judged(own)], members, never);
  expect(workers).toMatchObject([
    { pid: 7, host: 'box', client: 'aorta-loading-box-7', parts: ['loading', 'merging'], state: 'ready' },
    { pid: null, host: '10.0.0.7', client: 'aorta-loading-far-3', parts: ['loading'], state: 'member' },
  ]);
  // The brokers report all partitions of the worker, but the worker's own report lists only partitions with records. The
  // result lists each partition once.
  expect(workers[0]!.partitions).toEqual(partitions.map((one) => ({ part: 'loading', group: 'warehouse', ...one })));
  const text = workersText(workers, NOON, undefined);
  expect(text).toMatch(/^process 7 on box +loading, merging +ready +1 min 0 s +4 +inbox; sleep 1–2$/m);
  expect(text).toMatch(/^aorta-loading-far-3 at 10\.0\.0\.7 +loading +in its group +– +5 +sleep 0$/m);
});

test('a process that died is listed with its supervisor, but a process that stopped is listed only if it failed', () => {
  const reports = [
    judged(report(1, { supervisor: 5 }), 'died', true),
    judged(report(2, { supervisor: 6 }), 'died'),
    judged(report(3, { ended_at: at(-9) }), 'ended'),
    judged(report(4, { ended_at: at(-9), error: 'AORTA-WAREHOUSE-LOCKED', parts: ['loading'] }), 'ended'),
  ];
  const workers = workersOf(reports, [], ({ error }) => error !== null);
  expect(workers.map(({ pid, state, supervisor }) => [pid, state, supervisor])).toEqual([
    [1, 'died', 5],
    [2, 'died', null],
    [4, 'ended', null],
  ]);
  expect(workersText(workers, NOON, undefined).split('\n')).toEqual([
    'Nothing is running.',
    'Process 1 on box (ingestion and loading) died; its last report was 1 s ago. Its supervisor, process 5, restarts it.',
    'Process 2 on box (ingestion and loading) died; its last report was 1 s ago.',
    'Process 4 on box (loading) ended 9 s ago with AORTA-WAREHOUSE-LOCKED.',
    '',
  ]);
});

test('a wait is printed with its reason and its expected end, unless it is short', () => {
  const waits = [
    { part: 'loading', reason: 'gathering records for a batch', since: at(-30), due_at: at(30) },
    { part: 'loading', reason: 'merging', since: at(-3), due_at: null },
    { part: 'loading', reason: 'landing a batch', since: at(-1), due_at: null },
    { part: 'loading', reason: 'gathering records for a batch', since: at(-0.2), due_at: at(0.6) },
  ];
  const [first, ...lines] = workersText(workersOf([judged(report(7, { waits }))], [], never), NOON, undefined)
    .split('\n')
    .slice(2);
  expect(first).toMatch(/^process 7 on box .* ready /);
  expect(lines.map((line) => line.replace(/2026-03-01 /, ''))).toEqual([
    'Process 7 on box waits (loading): gathering records for a batch, for 30 s, until 12:00:30Z (in 30 s).',
    'Process 7 on box waits (loading): merging, for 3 s.',
    '',
  ]);
});

const merge = (table: string, more: Partial<Waiting['merges'][number]> = {}): Waiting['merges'][number] => ({
  table,
  range: 'old',
  batches: 1,
  rows: 300,
  landed_at: at(-120),
  due_at: at(480),
  due_at_rows: 500_000,
  held_by: null,
  ...more,
});
const loader = (merges: Waiting['merges']): WorkerReport['loader'] => ({
  landings: [],
  merges: [...merges],
  publication_due_at: null,
});
const inTables = (rows: number, publishedAt: string | undefined) => ({
  publishedAt,
  merges: [{ table: 'timeseries', range: 'old' as const, batches: 1, rows, landedAt: NOON, dueAt: NOON + 600_000, dueAtRows: 9 }],
});

test('waiting merges are read from the loader’s report, or from the tables if these were published later', () => {
  const reports = [judged(report(1, { as_of: at(-5), loader: loader([merge('timeseries')]) }))];
  expect(waitingOf(reports, inTables(7, at(-6)), NOON)).toMatchObject({ as_of: at(-5), merges: [{ rows: 300 }] });
  expect(waitingOf(reports, inTables(7, at(-4)), NOON)).toMatchObject({ as_of: at(-4), merges: [{ rows: 7 }] });
  // The clock was set back after this copy was published.
  expect(waitingOf(reports, inTables(7, at(3600)), NOON)).toMatchObject({ as_of: at(-5), merges: [{ rows: 300 }] });
  // The warehouse itself is up to date. The report of the running loader adds the reason why a merge is held up.
  const held = [judged(report(1, { loader: loader([merge('timeseries', { held_by: 'AORTA-BIGQUERY-CAP' })]) }))];
  expect(waitingOf(held, inTables(7, undefined), NOON)).toMatchObject({
    as_of: at(0),
    merges: [{ rows: 7, held_by: 'AORTA-BIGQUERY-CAP' }],
  });
  expect(waitingOf([], undefined, NOON)).toBeNull();
});

test('a waiting merge is printed with its rows and due time, and with a note if no loader is running', () => {
  const waiting: Waiting = {
    as_of: at(-1),
    landings: [{ stream: 'sleep', partition: 2, records: 40, due_at: at(90) }],
    merges: [
      merge('timeseries'),
      merge('sleep', { range: 'recent', due_at: at(-3) }),
      merge('body', { held_by: 'AORTA-BIGQUERY-CAP' }),
    ],
    publication_due_at: at(12),
  };
  const lines = (loads: boolean): string[] =>
    waitingText(waiting, loads, NOON, undefined).join('\n').replaceAll('2026-03-01 ', '').split('\n');
  const running = lines(true);
  expect(running).toContain('40 records of sleep/2 will be landed at 12:01:30Z (in 1 min 30 s).');
  expect(running).toContain('timeseries  old      300  2 min 0 s ago  in 8 min 0 s, at 12:08:00Z, or at 500,000 rows');
  expect(running).toContain('sleep       recent   300  2 min 0 s ago  now');
  expect(running).toContain('body        old      300  2 min 0 s ago  held up by AORTA-BIGQUERY-CAP');
  expect(running).toContain('Readers get a new copy of the tables in 12 s, at 12:00:12Z.');
  const still = lines(false);
  expect(still).toContain('timeseries  old      300  2 min 0 s ago  at 12:08:00Z, once a loader runs');
  expect(still).toContain('sleep       recent   300  2 min 0 s ago  since 11:59:57Z, once a loader runs');
  expect(still.join('\n')).toContain('No loader is running');
  expect(still.join('\n')).not.toContain('Readers get');
});

function lane(reader: string, of: string, lag: number): WorkerReport['lanes'][number] {
  return { kind: 'stream', reader, of, lag, state: 'landing' };
}
