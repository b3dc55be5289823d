import type { Cursors } from '../api/cursor.ts';
import type { Operation } from '../api/operation.ts';
import type { Users } from '../users/users.ts';
import { hypnogramForm } from './forms/hypnogram-form.ts';
import { timeseriesResources } from './forms/samples.ts';
import { groupedTimeseries } from './grouped-timeseries.ts';
import type { Ingestion } from './ingestion.ts';
import { hypnogramDeprecation, plainTimeseries } from './plain-timeseries.ts';
import { streamOperations } from './stream-operations.ts';
import type { Timeseries } from './timeseries.ts';

/** Most samples of a page. */
const PAGE = 5_000;

/** The operations that return samples, and the streams of workouts and sleeps. */
export function timeseriesOperations(cursors: Cursors, users: Users, ingestion: Ingestion, pageSize = PAGE): Operation[] {
  const { samples, hypnograms, workoutStreams, sleepStreams } = ingestion;
  const stored = timeseriesResources.map((resource): Timeseries => ({ ...resource, page: (query) => samples.page(query) }));
  const hypnogram: Timeseries = {
    name: 'hypnogram',
    apiName: 'hypnogram',
    form: hypnogramForm,
    page: (query) => hypnograms.page(query),
  };
  return [
    ...stored.map((timeseries) => groupedTimeseries(users, timeseries, { cursors, pageSize })),
    groupedTimeseries(users, hypnogram, { cursors, pageSize, deprecated: hypnogramDeprecation }),
    ...[...stored, hypnogram].flatMap((timeseries) => plainTimeseries(users, timeseries)),
    ...streamOperations(workoutStreams, sleepStreams),
  ];
}
