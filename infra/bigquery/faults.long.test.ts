import type { Table } from '@google-cloud/bigquery';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { until } from '../machine/waiting.fixture.ts';
import { type BigQueryControl, controlClient, type FaultRule, whyNoBigQuery } from './index.ts';
import { DATASET, type ServerWithDataset, startServerWithDataset, upload } from './server.fixture.ts';

const problem = await whyNoBigQuery({ own: true });
const columns = [{ name: 'user_id', type: 'STRING' }];
const row = [{ user_id: 'a' }];
const NOW = Date.UTC(2026, 10, 15);

describe.skipIf(problem !== undefined)(
  `faults of the local BigQuery${problem === undefined ? '' : ` (${problem.message})`}`,
  () => {
    let place: ServerWithDataset;
    let control: BigQueryControl;
    let table: Table;
    // The server's clock moves only if the test moves it.
    beforeAll(async () => {
      vi.useFakeTimers({ toFake: ['Date', 'performance'], now: NOW });
      place = await startServerWithDataset();
      // Use the control port, as a test in another process does.
      control = controlClient(place.provided.controlPort!);
      table = await place.table(columns);
    });
    afterEach(async () => {
      await control.remove();
      await control.quotas('off');
    });
    afterAll(async () => {
      await place?.stop();
      vi.useRealTimers();
    });

    const path = (one = table): string => `\`test.${DATASET}.${one.id}\``;
    const count = async (one = table): Promise<number> => (await place.rows(`SELECT COUNT(*) AS n FROM ${path(one)}`))[0].n;
    const outcome = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => 'done',
        (error) =>
          error.code === undefined || typeof error.code === 'string' ? 'lost' : `${error.code} ${error.errors?.[0]?.reason}`,
      );
    const inject = (on: FaultRule['on'], fault: FaultRule['fault'], more: Partial<FaultRule> = {}): Promise<number> =>
      control.inject({ on, fault, ...more });

    /** A call of each kind, made by the official client. */
    const calls: readonly [FaultRule['on'], () => Promise<unknown>][] = [
      ['upload', () => place.load(table, row)],
      ['job-insert', () => place.client.createQueryJob('SELECT 1')],
      ['job-get', () => place.client.job('fixed').getMetadata()],
      ['query', () => place.client.query('SELECT 1')],
      ['query-results', () => place.client.job('fixed').getQueryResults()],
      ['tables-get', () => table.getMetadata()],
      ['tables-insert', () => place.table(columns)],
      ['tables-patch', () => table.setMetadata({ description: 'x' })],
      ['tables-delete', async () => (await place.table(columns)).delete()],
      ['tables-list', () => place.client.dataset(DATASET).getTables()],
      ['datasets-get', () => place.client.dataset(DATASET).getMetadata()],
    ];

    test.each(calls)('%s calls can be refused, or lose their connection before or after execution', async (on, make) => {
      await place.client.createQueryJob({ query: 'SELECT 1', jobId: 'fixed' }).catch(() => {});
      const kind = on as string;
      await inject(on, { kind: 'status', status: 403, reason: 'rateLimitExceeded' });
      expect(await outcome(make())).toBe('403 rateLimitExceeded');
      await inject(on, { kind: 'status', status: 503, reason: 'backendError' });
      expect(await outcome(make())).toBe('503 backendError');
      for (const when of ['before', 'after'] as const) {
        await inject(on, { kind: 'reset', when });
        expect(await outcome(make()), `${kind} ${when}`).toBe('lost');
      }
      expect(await outcome(make()), `${kind} at the end`).toBe('done');
      const { hits } = await control.state();
      expect(Object.values(hits).slice(-4)).toEqual([1, 1, 1, 1]);
    });

    test('if the answer to an upload is lost, the job shows that the upload was carried out', async () => {
      const [jobId, before] = ['lost_answer', await count()];
      await inject('upload', { kind: 'reset', when: 'after' });
      expect(await outcome(place.load(table, row, { jobId }))).toBe('lost');
      expect(await outcome(place.load(table, row, { jobId }))).toBe('409 duplicate');
      const [job] = await place.client.job(jobId).getMetadata();
      expect([job.status, job.statistics.load.outputRows, await count()]).toEqual([{ state: 'DONE' }, '1', before + 1]);
    });

    test('an upload that is cut off is not carried out and can be repeated', async () => {
      const [jobId, before] = ['cut', await count()];
      const rows = Array.from({ length: 50_000 }, (_, n) => ({ user_id: `user ${n}` }));
      await inject('upload', { kind: 'cut', afterBytes: 200_000 }, { about: table.id! });
      expect(await outcome(place.load(table, rows, { jobId }))).toBe('lost');
      expect(await count()).toBe(before);
      await place.load(table, rows, { jobId });
      expect(await count()).toBe(before + 50_000);
    });

    test('a job that fails after the upload loads no rows, and its id stays in use', async () => {
      const [jobId, before] = ['failing', await count()];
      await inject('upload', { kind: 'job-fails', reason: 'backendError' });
      const job = await place.load(table, row, { jobId });
      expect(job.status).toMatchObject({ state: 'DONE', errorResult: { reason: 'backendError' } });
      expect([await outcome(place.load(table, row, { jobId })), await count()]).toEqual(['409 duplicate', before]);
      await place.load(table, row, { jobId: 'failing-2' });
      expect(await count()).toBe(before + 1);
    });

    test('a delayed job is RUNNING at first and DONE later', async () => {
      await inject('upload', { kind: 'job-runs', forMs: 400 });
      const { project } = place.provided;
      const load = {
        destinationTable: { projectId: project, datasetId: DATASET, tableId: table.id },
        sourceFormat: 'NEWLINE_DELIMITED_JSON',
      };
      const answer = await upload(place.provided, 'slow', load, Buffer.from('{"user_id":"a"}\n'));
      expect(answer.status).toEqual({ state: 'RUNNING' });
      expect((await place.client.job('slow').getMetadata())[0].status.state).toBe('RUNNING');
      vi.advanceTimersByTime(399);
      expect((await place.client.job('slow').getMetadata())[0].status.state).toBe('RUNNING');
      vi.advanceTimersByTime(1);
      expect((await place.client.job('slow').getMetadata())[0].status.state).toBe('DONE');
    });

    test('a hanging call gets no answer, whether it is carried out or not', async () => {
      for (const when of ['before', 'after'] as const) {
        const before = await count();
        const rule = await inject('upload', { kind: 'hang', when });
        let answer: unknown = 'nothing';
        const jobId = `hanging_${when}`;
        outcome(place.load(table, row, { jobId })).then((end) => {
          answer = end;
        });
        await until('the hanging call', async () => (await control.state()).hits[rule], 1);
        // The server carries out one job after the other, so it answers this load after it has carried out the hanging one.
        await place.load(table, row);
        await until('the rows', count, before + (when === 'after' ? 2 : 1));
        expect(answer).toBe('nothing');
      }
    });

    test('a rule affects only calls that contain its text, up to its maximum number of calls', async () => {
      const other = await place.table(columns);
      await inject(
        'tables-get',
        { kind: 'status', status: 500, reason: 'internalError' },
        { about: `/tables/${other.id}`, from: 2, times: 2 },
      );
      const asked: unknown[] = [];
      for (let n = 0; n < 4; n++) asked.push(await outcome(other.getMetadata()), await outcome(table.getMetadata()));
      const refused = '500 internalError';
      expect(asked).toEqual(['done', 'done', refused, 'done', refused, 'done', 'done', 'done']);
      await inject('tables-get', { kind: 'status', status: 403, reason: 'accessDenied' }, { times: 'always' });
      for (let n = 0; n < 3; n++) expect(await outcome(table.getMetadata())).toBe('403 accessDenied');
    });

    describe('quotas', () => {
      const reason = async (query: string): Promise<string> => (await place.job(query)).status.errorResult?.reason ?? 'done';

      test('limit the loads per day for a table and for the project', async () => {
        await control.quotas({ loadsPerTableAndDay: 2, loadsPerDay: 4 });
        const other = await place.table(columns);
        const loaded = async (one: Table): Promise<unknown> =>
          place.load(one, row).then(
            ({ status }) => status.errorResult?.reason ?? 'done',
            (error) => `${error.code} ${error.errors[0].reason}`,
          );
        const ends = [await loaded(table), await loaded(table), await loaded(table), await loaded(other), await loaded(other)];
        expect(ends).toEqual(['done', 'done', 'quotaExceeded', 'done', '403 quotaExceeded']);
        await control.advance(86_400_000);
        expect([await loaded(table), await loaded(other)]).toEqual(['done', 'done']);
      });

      test('limit how often a table’s metadata can change in ten seconds', async () => {
        await control.quotas({ metadataUpdatesPerTable: 2 });
        const change = (): Promise<unknown> => outcome(table.setMetadata({ description: 'again' }));
        expect([await change(), await change(), await change()]).toEqual(['done', 'done', '403 rateLimitExceeded']);
        expect(await reason(`ALTER TABLE ${path()} ADD COLUMN late STRING`)).toBe('jobRateLimitExceeded');
        await control.advance(10_000);
        expect(await change()).toBe('done');
      });

      test('limit the number of DML statements on a table in ten seconds', async () => {
        await control.quotas({ dmlPerTable: 2 });
        const insert = `INSERT INTO ${path()} (user_id) VALUES ('q')`;
        expect([await reason(insert), await reason(insert), await reason(insert)]).toEqual(['done', 'done', 'rateLimitExceeded']);
        await control.advance(10_000);
        expect(await reason(insert)).toBe('done');
      });

      test('limit the number of statements that wait to change rows of a table', async () => {
        await control.quotas({ mutationsAtOnce: 1, mutationsQueued: 1 });
        const all = await Promise.all([1, 2, 3].map(() => reason(`UPDATE ${path()} SET user_id = 'z' WHERE user_id = 'q'`)));
        expect(all.sort()).toEqual(['done', 'done', 'resourcesExceeded']);
      });

      test('are off by default', async () => {
        for (let n = 0; n < 6; n++) await table.setMetadata({ description: `${n}` });
      });
    });
  },
);
