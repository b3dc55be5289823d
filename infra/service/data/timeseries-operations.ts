import { z } from 'zod';
import type { Cursors } from '../api/cursor.ts';
import { problem } from '../api/errors.ts';
import { type Deprecation, type Operation, operation } from '../api/operation.ts';
import { endOf, rangeQuery, uuidSchema } from '../api/parameters.ts';
import type { Team } from '../teams/teams.ts';
import { notFound, UNKNOWN, type Users, userIdParams } from '../users/users.ts';
import { type Json, type Source, sourceForm } from './arrival.ts';
import { hypnogramForm, sleepStreamSchema, timeseriesResources, workoutStreamSchema } from './forms/sample-forms.ts';
import { sourceSchema } from './forms/values.ts';
import type { Ingestion } from './ingestion.ts';
import { type Position, positionOf, type SampleQuery, type StoredSample } from './sample-store.ts';
import type { SleepStreams, WorkoutStreams } from './streams.ts';

/** Most samples of a page. */
const PAGE = 5_000;

const tag = 'timeseries';

/** The operations that return the streams of single workouts and sleeps. */
function streamOperations(workouts: WorkoutStreams, sleeps: SleepStreams): Operation[] {
  return [
    operation({
      id: 'get_workout_stream',
      method: 'GET',
      path: '/v2/timeseries/workouts/{workout_id}/stream',
      tag,
      summary: 'Returns the stream of a workout.',
      params: z.object({ workout_id: uuidSchema }),
      answers: {
        200: { description: 'Parallel arrays, with one element for each point.', schema: workoutStreamSchema },
        404: problem('There is no stream of this workout.'),
      },
      handle: ({ team, params: { workout_id } }) => found('Workout', workouts.find(team.team_id, workout_id)),
    }),
    operation({
      id: 'get_sleep_stream',
      method: 'GET',
      path: '/v2/timeseries/sleep/{sleep_id}/stream',
      tag,
      summary: 'Returns the samples of a sleep.',
      params: z.object({ sleep_id: uuidSchema.describe('The id of a sleep summary.') }),
      answers: {
        200: { description: 'The samples from the session, by resource.', schema: sleepStreamSchema },
        404: problem('There is no such sleep.'),
      },
      handle: ({ team, params: { sleep_id } }) => found('Sleep', sleeps.find(team.team_id, sleep_id)),
    }),
  ];
}

const found = (what: string, stream: Json | undefined) =>
  stream === undefined ? { status: 404, body: { detail: `${what} stream not found` } } : { status: 200, body: stream };

/**
 * When the real service deprecated these operations, and until when it promised them. The day of the announcement is not known,
 * so `since` is the first planned removal, which came after it.
 */
const period = { since: '2024-07-01', until: '2026-09-14' };
/** The hypnogram is deprecated as a whole, because sleep cycles have replaced it. */
const hypnogramDeprecation: Deprecation = { ...period, instead: 'GET /v2/summary/sleep_cycle/{user_id}' };

/** The resources that the real service returns without groups, by their names in paths. Newer resources have only groups. */
const plainNames: ReadonlySet<string> = new Set([
  'blood_oxygen',
  'blood_pressure',
  'body_fat',
  'body_weight',
  'caffeine',
  'calories_active',
  'calories_basal',
  'cholesterol',
  'distance',
  'electrocardiogram_voltage',
  'floors_climbed',
  'glucose',
  'heartrate',
  'hrv',
  'hypnogram',
  'ige',
  'igg',
  'mindfulness_minutes',
  'respiratory_rate',
  'steps',
  'stress_level',
  'vo2_max',
  'water',
]);

/** The types of samples that have an operation of their own. */
const typedNames: Readonly<Record<string, readonly string[]>> = { cholesterol: ['hdl', 'ldl', 'total', 'triglycerides'] };

/** A resource whose samples the API returns. */
interface Timeseries {
  /** As in event types, such as `fat`. */
  readonly name: string;
  /** As in paths of the API, such as `body_fat`. */
  readonly apiName: string;
  /** The form of one sample. */
  readonly form: z.ZodObject;
  /** Returns samples in the order of their time. */
  readonly page: (query: SampleQuery) => readonly StoredSample[];
}

/** Returns the deprecated operations that return all samples of a resource at once, without their sources. Most have none. */
function plainTimeseries(users: Users, timeseries: Timeseries): Operation[] {
  const { name, apiName, form, page } = timeseries;
  if (!plainNames.has(apiName)) return [];
  return [undefined, ...(typedNames[apiName] ?? [])].map((type) => plainOperation(type));

  function plainOperation(type: string | undefined): Operation {
    const path = type === undefined ? apiName : `${apiName}/${type}`;
    return operation({
      id: `get_${path.replace('/', '_')}`,
      method: 'GET',
      path: `/v2/timeseries/{user_id}/${path}`,
      tag: 'timeseries',
      summary: `Returns the ${path} samples of a user.`,
      params: userIdParams,
      query: rangeQuery,
      answers: {
        200: { description: 'All samples of the range, in the order of their time.', schema: z.array(form) },
        404: notFound,
      },
      deprecated:
        apiName === 'hypnogram'
          ? hypnogramDeprecation
          : { ...period, instead: `GET /v2/timeseries/{user_id}/${apiName}/grouped` },
      handle: ({ team, params: { user_id }, query: { start_date: from, end_date, provider } }) => {
        if (users.find(team.team_id, user_id) === undefined) return UNKNOWN;
        const found = page({ user: user_id, resource: name, from, to: endOf(end_date), provider });
        const samples = found.map(({ body }) => body);
        const body = type === undefined ? samples : samples.filter((sample) => sample.type === `${apiName}/${type}`);
        return { status: 200, body };
      },
    });
  }
}

const positionSchema: z.ZodType<Position> = z.tuple([z.number(), z.string(), z.string(), z.string()]);

/** Returns the operation that pages through the samples of a resource, grouped by provider and source. */
function groupedTimeseries(
  users: Users,
  { name, apiName, form, page }: Timeseries,
  { cursors, pageSize, deprecated }: { readonly cursors: Cursors; readonly pageSize: number; readonly deprecated?: Deprecation },
): Operation {
  const scope = `${apiName} samples`;
  const cursor = cursors.schema(scope, positionSchema).optional();
  const group = z.object({ source: sourceSchema, data: z.array(form) });
  return operation({
    id: `get_${apiName}_grouped`,
    method: 'GET',
    path: `/v2/timeseries/{user_id}/${apiName}/grouped`,
    tag: 'timeseries',
    summary: `Returns the ${apiName} samples of a user, grouped by provider and source.`,
    params: userIdParams,
    query: rangeQuery.extend({
      next_cursor: cursor.describe('Cursor of the page before. Default: the first page.'),
      cursor: cursor.meta({ deprecated: true, description: 'The earlier name of next_cursor.' }),
    }),
    answers: {
      200: {
        description: 'A page of samples, in the order of their time.',
        schema: z.object({
          groups: z.record(z.string(), z.array(group)),
          next_cursor: z.string().nullable(),
          next: z.string().nullable().meta({ deprecated: true }),
        }),
      },
      404: notFound,
    },
    ...(deprecated === undefined ? {} : { deprecated }),
    handle: ({ team, params: { user_id }, query: { start_date: from, end_date, provider, next_cursor, cursor: earlier } }) => {
      if (users.find(team.team_id, user_id) === undefined) return UNKNOWN;
      const asked = { user: user_id, resource: name, from, to: endOf(end_date), provider };
      const found = page({ ...asked, after: next_cursor ?? earlier, limit: pageSize });
      const last = found.length < pageSize ? undefined : found.at(-1);
      const next = last === undefined ? null : cursors.of(scope, positionOf(last));
      return { status: 200, body: { groups: groupsOf(found, team), next_cursor: next, next } };
    },
  });
}

type Groups = Record<string, { source: Json; data: Json[] }[]>;

/** Groups samples by provider, and then by source. */
function groupsOf(page: readonly StoredSample[], { generation }: Team): Groups {
  const bySource = Map.groupBy(page, ({ source }) => source);
  const groups: Groups = {};
  for (const [text, some] of bySource) {
    const source = JSON.parse(text) as Source;
    groups[source.provider] ??= [];
    groups[source.provider]!.push({
      source: sourceForm(source, generation),
      data: some.map(({ body }) => body),
    });
  }
  return groups;
}

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
