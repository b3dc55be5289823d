import { setTimeout as sleep } from 'node:timers/promises';
import { type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { bigQueryOptions } from '@aorta/connectors/bigquery';
import { openBigQueryReader } from '@aorta/connectors/bigquery/module';
import { whyNoBroker } from '@aorta/kafka-broker';
import { afterAll, describe, expect, test } from 'vitest';
import { MissedTime } from '../../../infra/machine/goal.fixture.ts';
import { printedTables } from '../../model/printed.ts';
import { foldedTables } from '../stage/folded.ts';
import { clock } from '../stage/goal.ts';
import type { Machine } from '../stage/machine.ts';
import { Silences } from '../stage/report.ts';
import { SEED } from '../stage/seed.ts';
import { killedUnderLoad } from './killing.ts';
import { Stage } from './stage.ts';
import type { SharedWarehouse } from './workers.ts';

/** Tests streams in topics with tables in BigQuery. Several machines ingest, and several machines land records in one dataset. */

const problem = (await whyNoBroker({ own: true })) ?? (await whyNoBigQuery({ own: true }));
const silences = new Silences();
afterAll(() => silences.print());

const MACHINES = 3;
/** Maximum time, in milliseconds, for all machines to open the dataset and merge something. */
const SHARED_OUT_MS = 120_000;
/** Number of machines that merge. A table's name decides which machine merges it. The third machine merges no table. */
const MERGERS = 2;
/** Session timeout of the streams' group, in milliseconds. Until it expires, no loader reads the partitions of a lost loader. */
const STREAMS_SESSION_MS = 30_000;
/**
 * Time, in milliseconds, for a restarted loader to open a hundred tables and land records. A quota limits how often the loader
 * may land records.
 */
const LANDS_AGAIN = 30_000;
/** Target recovery time for a partition that loses two owners in a row before anything is landed. */
const AGAIN_AND_AGAIN = clock(2 * (STREAMS_SESSION_MS + LANDS_AGAIN));

/** Returns the warehouse that all machines share. */
function sharedIn({ project, apiEndpoint }: ProvidedBigQuery, dataset: string): SharedWarehouse {
  const configuration = {
    type: 'bigquery' as const,
    project,
    dataset,
    api_endpoint: apiEndpoint,
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

/** Returns, from the control table, the workers that merged batches into each table since `moment` (milliseconds since 1970). */
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

/** Expects that only one worker merges each table while no machine joins or leaves, and that several workers merge tables. */
async function expectShared(
  stage: Stage,
  provided: ProvidedBigQuery,
  dataset: string,
  landing: readonly Machine[],
): Promise<void> {
  for (const machine of landing) await machine.owns(1);
  const moment = Date.now();
  for (;;) {
    await stage.publisher.publish(20);
    const mergers = await mergersSince(provided, dataset, moment);
    if (Date.now() - moment > SHARED_OUT_MS)
      throw new MissedTime(
        `not all merging machines have merged within ${SHARED_OUT_MS / 1000} s: ${[...mergers.keys()].join(', ')}`,
      );
    const several = [...mergers].filter(([, workers]) => workers.size > 1);
    expect(several, 'tables that more than one worker merges into').toEqual([]);
    if (new Set([...mergers.values()].flatMap((workers) => [...workers])).size === MERGERS) return;
    await sleep(500);
  }
}

/** Returns the names of the landing tables that have rows. */
async function loadedTables(provided: ProvidedBigQuery, dataset: string): Promise<string[]> {
  const [tables] = await provided.client().dataset(dataset).getTables();
  const landing = tables.filter(({ id }) => id!.startsWith('aorta_landed_'));
  const described = await Promise.all(landing.map((table) => table.getMetadata()));
  return described.flatMap(([{ tableReference, numRows }]) => (Number(numRows) === 0 ? [] : [tableReference.tableId as string]));
}

describe.skipIf(problem !== undefined)(
  `streams in topics, tables in BigQuery${problem === undefined ? '' : ` (${problem.message})`}`,
  () => {
    test('no record is lost or duplicated while three ingesting and three loading machines are killed at random', async () => {
      const provided = await provideBigQuery({ own: true });
      try {
        let plays = 0;
        let dataset = '';
        // A repeated case begins with an empty dataset.
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
        // Batches of killed workers are merged and dropped. Empty landing tables stay for a day, in case a load is under way.
        expect(await loadedTables(provided, dataset)).toEqual([]);
      } finally {
        await provided.stop();
      }
    });
  },
);
