import { setTimeout as sleep } from 'node:timers/promises';
import { type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { bigQueryOptions } from '@aorta/connectors/warehouses/bigquery';
import { openBigQueryReader } from '@aorta/connectors/warehouses/bigquery/module';
import { whyNoBroker } from '@aorta/kafka-broker';
import { afterAll, describe, expect, test } from 'vitest';
import { printedTables } from '../../model/printed.ts';
import { foldedTables } from '../stage/folded.ts';
import { clock } from '../stage/goal.ts';
import type { Machine } from '../stage/machine.ts';
import { Silences } from '../stage/report.ts';
import { SEED } from '../stage/seed.ts';
import { killedUnderLoad } from './killing.ts';
import { Stage } from './stage.ts';
import type { SharedWarehouse } from './workers.ts';

/** Streams in topics, tables in BigQuery: several machines that take in, and several that land in one dataset. */

const problem = (await whyNoBroker({ own: true })) ?? (await whyNoBigQuery({ own: true }));
const silences = new Silences();
afterAll(() => silences.print());

const MACHINES = 3;
/** All have opened the dataset by then, and merged something. */
const SHARED_OUT_MS = 120_000;
/** As many partitions as machines share the merges out, by the tables' names: on one of them no table falls that people write to here. */
const MERGERS = 2;
/** A machine that is lost while it lands is missed by the brokers for the session of the streams, in milliseconds. */
const STREAMS_SESSION_MS = 30_000;
/** Who lands opens a dataset of a hundred tables first, and lands a partition as often as its share of the quota allows. */
const LANDS_AGAIN = 30_000;
/** Lost, and lost once more before anything has landed. */
const AGAIN_AND_AGAIN = clock(2 * (STREAMS_SESSION_MS + LANDS_AGAIN));

/** The warehouse that all machines land in, and what it holds. */
function sharedIn({ project, apiEndpoint }: ProvidedBigQuery, dataset: string): SharedWarehouse {
  const configuration = {
    type: 'bigquery' as const,
    project,
    dataset,
    ...(apiEndpoint === undefined ? {} : { api_endpoint: apiEndpoint }),
    workers: MACHINES,
    land_every_s: 1,
    merge_every_s: 2,
    old_after_s: 4,
  };
  return {
    configuration,
    held: async () => {
      const reader = await openBigQueryReader(bigQueryOptions.parse(configuration));
      try {
        return foldedTables([await printedTables(reader)]);
      } finally {
        await reader.close();
      }
    },
  };
}

/** Who has merged into which table since a moment (milliseconds since 1970), by the warehouse's own record of it. */
async function mergersSince(
  provided: ProvidedBigQuery,
  dataset: string,
  moment: number,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const query = `SELECT DISTINCT target, worker FROM ${dataset}.aorta_activity WHERE what = 'merge' AND ended_at >= TIMESTAMP_MILLIS(${moment})`;
  const [rows] = (await provided.client().query({ query })) as [{ target: string; worker: string }[], ...unknown[]];
  const by = Map.groupBy(rows, ({ target }) => target);
  return new Map([...by].map(([target, some]) => [target, new Set(some.map(({ worker }) => worker))]));
}

/** While nobody comes or goes, every table has one worker that merges into it, and they are not all one. */
async function expectShared(
  stage: Stage,
  provided: ProvidedBigQuery,
  dataset: string,
  landing: readonly Machine[],
): Promise<void> {
  for (const machine of landing) await machine.owns(1);
  const moment = Date.now();
  for (;;) {
    await stage.crowd.publish(20);
    const mergers = await mergersSince(provided, dataset, moment);
    expect(Date.now() - moment, 'milliseconds until the merges are shared out').toBeLessThan(SHARED_OUT_MS);
    const several = [...mergers].filter(([, workers]) => workers.size > 1);
    expect(several, 'tables that more than one merges into').toEqual([]);
    if (new Set([...mergers.values()].flatMap((workers) => [...workers])).size === MERGERS) return;
    await sleep(500);
  }
}

/** The landing tables that hold something. */
async function loadedTables(provided: ProvidedBigQuery, dataset: string): Promise<string[]> {
  const [tables] = await provided.client().dataset(dataset).getTables();
  const landing = tables.filter(({ id }) => id!.startsWith('aorta_landed_'));
  const described = await Promise.all(landing.map((table) => table.getMetadata()));
  return described.flatMap(([{ tableReference, numRows }]) => (Number(numRows) === 0 ? [] : [tableReference.tableId as string]));
}

describe.skipIf(problem !== undefined)(
  `streams in topics, tables in BigQuery${problem === undefined ? '' : ` (${problem.message})`}`,
  () => {
    test('three that take in and three that land are killed at random: nothing is lost, nothing doubled', async () => {
      const provided = await provideBigQuery({ own: true });
      try {
        let plays = 0;
        let dataset = '';
        // A case that is played again begins with nothing.
        const warehouse = async (): Promise<SharedWarehouse> => {
          dataset = `health_${++plays}`;
          await provided.client().createDataset(dataset);
          return sharedIn(provided, dataset);
        };
        const play = { seed: SEED + 50, partitions: 4, streams: 'topics', warehouse, silences } as const;
        await Stage.play(play, async (stage) => {
          const taking = Array.from({ length: MACHINES }, () => stage.machines.add('ingestion'));
          const landing = Array.from({ length: MACHINES }, () => stage.machines.add('loading'));
          for (const machine of stage.machines.all) machine.start();
          await expectShared(stage, provided, dataset, landing);
          await stage.fault('three and three killed at random', AGAIN_AND_AGAIN, () =>
            killedUnderLoad(stage, [...taking, ...landing]),
          );
        });
        // What was landed by whoever was killed is merged by the others, and gone. A table into which nobody loaded before the
        // kill holds nothing: it is swept away the next day, since a load into it might be under way.
        expect(await loadedTables(provided, dataset)).toEqual([]);
      } finally {
        await provided.stop();
      }
    });
  },
);
