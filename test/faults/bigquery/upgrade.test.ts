import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { BATCH, idOf, newDataset, openAt, rowsAt, type Where } from './place.ts';

/** Tests a rolling upgrade: processes of an older and a newer version land and merge batches at the same time. */

const problem = await whyNoBigQuery({ own: true });
const program = join(import.meta.dirname, 'version.process.ts');

/** The test continues after a worker has landed `SOME` batches. No worker can land as many as `ENDLESS` batches. */
const SOME = 3;
const ENDLESS = 10_000;

class Worker {
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown[]>;
  #landed = 0;

  constructor(
    { apiEndpoint, project, dataset }: Where,
    version: 'older' | 'newer',
    { partition, batches, role }: { partition: number; batches: number; role: 'merges' | 'lands' },
  ) {
    const words = [program, apiEndpoint!, project, dataset, version, String(partition), String(batches), role];
    this.#child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#exit = once(this.#child, 'exit');
    createInterface(this.#child.stdout!).on('line', (line) => {
      this.#landed = Number(/^landed (\d+)$/.exec(line)?.[1] ?? this.#landed);
    });
  }

  get landed(): number {
    return this.#landed;
  }

  async lands(batches: number): Promise<void> {
    const landed = (): number => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) throw new Error('the worker has ended early');
      return this.#landed;
    };
    await until(`${batches} landed batches`, landed, (count) => count >= batches);
  }

  end(): Promise<unknown[]> {
    this.#child.kill('SIGTERM');
    return this.#exit;
  }

  ended(): Promise<unknown[]> {
    return this.#exit;
  }
}

describe.skipIf(problem !== undefined)(`a rolling upgrade${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  let provided: ProvidedBigQuery;
  beforeAll(async () => {
    provided = await provideBigQuery({ own: true });
  });
  afterAll(() => provided?.stop());

  test('while an older and a newer version run under load, the new field is loaded, and no record is lost or refused', async () => {
    const where = await newDataset(provided);
    // The older version lands and merges batches. The newer version works on another partition and adds a column that the older
    // version does not know.
    const before = new Worker(where, 'older', { partition: 0, batches: ENDLESS, role: 'merges' });
    await before.lands(SOME);
    const beside = new Worker(where, 'newer', { partition: 1, batches: ENDLESS, role: 'lands' });
    await beside.lands(SOME);
    await before.lands(before.landed + 1);
    expect(await before.end()).toEqual([0, null]);
    const byOlder = before.landed;
    // The newer version replaces the older one and takes over merging.
    const after = new Worker(where, 'newer', { partition: 0, batches: byOlder + SOME, role: 'merges' });
    expect(await after.ended()).toEqual([0, null]);
    expect(await beside.end()).toEqual([0, null]);
    const landed = [after.landed, beside.landed] as const;
    expect(landed[0]).toBe(byOlder + SOME);
    const last = await openAt(where);
    await last.merge('all');
    expect(last.backlog()).toEqual({ batches: 0, records: 0 });
    await last.close();

    const wanted = landed.flatMap((batches, partition) =>
      Array.from({ length: batches * BATCH }, (_, offset) => {
        const isOlder = partition === 0 && offset < byOlder * BATCH;
        return [idOf(offset, partition), isOlder ? null : offset + 0.5];
      }),
    );
    expect(await rowsAt(where, 'SELECT id, waist_circumference_cm FROM body ORDER BY id')).toEqual(
      wanted.sort(([a], [b]) => (a! < b! ? -1 : 1)),
    );
    expect(await rowsAt(where, 'SELECT COUNT(*) FROM deliveries')).toEqual([[BigInt(wanted.length)]]);
    // Both versions have merged batches, so the older version did not leave all merging to the newer one.
    const merges = await rowsAt(where, "SELECT worker, COUNT(*) FROM aorta_activity WHERE what = 'merge' GROUP BY worker");
    expect(merges.map(([worker]) => String(worker)).sort()).toEqual(expect.arrayContaining(['newer-0', 'older-0']));
  });
});
