import { z } from 'zod';
import { type Deprecation, type Operation, operation } from '../api/operation.ts';
import { notFound, UNKNOWN, userIdParams } from '../users/user-answers.ts';
import type { Users } from '../users/users.ts';
import { endOf, rangeQuery } from './query.ts';
import type { Timeseries } from './timeseries.ts';

/**
 * When the real service deprecated these operations, and until when it promised them. The day of the announcement is not known,
 * so `since` is the first planned removal, which came after it.
 */
const period = { since: '2024-07-01', until: '2026-09-14' };
/** The hypnogram is deprecated as a whole, because sleep cycles have replaced it. */
export const hypnogramDeprecation: Deprecation = { ...period, instead: 'GET /v2/summary/sleep_cycle/{user_id}' };

/** The resources that the real service returns without groups, by their names in paths. Newer resources have only groups. */
const plainNames: ReadonlySet<string> = new Set([
  ...['blood_oxygen', 'blood_pressure', 'body_fat', 'body_weight', 'caffeine', 'calories_active', 'calories_basal'],
  ...['cholesterol', 'distance', 'electrocardiogram_voltage', 'floors_climbed', 'glucose', 'heartrate', 'hrv', 'hypnogram'],
  ...['ige', 'igg', 'mindfulness_minutes', 'respiratory_rate', 'steps', 'stress_level', 'vo2_max', 'water'],
]);

/** The types of samples that have an operation of their own. */
const typedNames: Readonly<Record<string, readonly string[]>> = { cholesterol: ['hdl', 'ldl', 'total', 'triglycerides'] };

/** Returns the deprecated operations that return all samples of a resource at once, without their sources. Most have none. */
export function plainTimeseries(users: Users, timeseries: Timeseries): Operation[] {
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
