import type { Json } from '../../reference-service/control.ts';
import { type ChangedSamples, keyOf } from './changed-samples.ts';
import type { Stage } from './stage.ts';
import { type Content, sorted } from './tables.ts';

const RANGE = 'start_date=2000-01-01';

/** The values that are compared, by resource, in the order of the tables' columns. */
const values: Readonly<Record<string, readonly string[]>> = {
  sleep: ['total', 'score', 'hr_average'],
  activity: ['steps', 'calories_total', 'distance'],
  workouts: ['calories', 'distance', 'moving_time'],
  body: ['weight', 'fat'],
  profile: ['height'],
};

/** The resources of samples that the connected providers have, with their names in the API. */
const apiNames: Readonly<Record<string, string>> = {
  heartrate: 'heartrate',
  steps: 'steps',
  hrv: 'hrv',
  blood_oxygen: 'blood_oxygen',
  respiratory_rate: 'respiratory_rate',
  weight: 'body_weight',
  fat: 'body_fat',
};

/** Returns what the service has, according to its API. */
export async function expectedContent(stage: Stage, changed: ChangedSamples): Promise<Content> {
  const each = async (read: (stage: Stage, user: string) => Promise<Json[]>): Promise<Json[]> =>
    sorted((await Promise.all(stage.users.map((user) => read(stage, user)))).flat());
  const { pulls } = (await stage.service.steer('/pulls/list', {})) as { pulls: Json[] };
  return {
    summaries: await each(summariesOf),
    samples: await each((from, user) => samplesOf(from, user, changed)),
    workoutStreams: await each(streamsOf),
    connections: await each(connectionsOf),
    pulls: sorted(
      pulls.map(({ user_id: user, provider, resource, status: state, days }) => ({
        ...{ user, provider, resource, state },
        days: (days as unknown[]).length,
      })),
    ),
  };
}

async function list(stage: Stage, user: string, resource: string): Promise<Json[]> {
  if (resource === 'profile') return [await stage.get(`/v2/summary/profile/${user}`)];
  return (await stage.get(`/v2/summary/${resource}/${user}?${RANGE}`))[resource] as Json[];
}

async function summariesOf(stage: Stage, user: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (const [resource, members] of Object.entries(values)) {
    for (const one of await list(stage, user, resource))
      rows.push({
        ...{ resource, user, id: one.id },
        values: members.map((name) => one[name] ?? null),
        updated_at: Date.parse(String(one.updated_at)),
      });
  }
  return rows;
}

async function samplesOf(stage: Stage, user: string, changed: ChangedSamples): Promise<Json[]> {
  const rows: Json[] = [];
  for (const [resource, apiName] of Object.entries(apiNames)) {
    const found: Json[] = [];
    for (let cursor: unknown = ''; cursor !== null; ) {
      const next = cursor === '' ? '' : `&next_cursor=${cursor}`;
      const page = await stage.get(`/v2/timeseries/${user}/${apiName}/grouped?${RANGE}${next}`);
      for (const groups of Object.values(page.groups as Record<string, { data: Json[] }[]>))
        for (const { data } of groups) found.push(...data);
      cursor = page.next_cursor;
    }
    const same = found.filter((sample) => !changed.has(keyOf(user, resource, sample)));
    const sum = same.reduce((total, { value }) => total + Number(value), 0);
    if (found.length > 0) rows.push({ user, resource, count: found.length, sum: Math.round(sum * 1000) / 1000 });
  }
  return rows;
}

/** The streams of the workouts of a user whose provider has streams. */
async function streamsOf(stage: Stage, user: string): Promise<Json[]> {
  const { providers } = (await stage.get(`/v2/user/providers/${user}`)) as { providers: { resource_availability: Json }[] };
  if (!providers.some(({ resource_availability }) => 'workout_stream' in resource_availability)) return [];
  const workouts = await list(stage, user, 'workouts');
  return Promise.all(
    workouts.map(async ({ id }) => {
      const { time } = await stage.get(`/v2/timeseries/workouts/${id}/stream`);
      return { user, workout: id, points: (time as unknown[]).length };
    }),
  );
}

async function connectionsOf(stage: Stage, user: string): Promise<Json[]> {
  const { providers } = (await stage.get(`/v2/user/providers/${user}`)) as { providers: Json[] };
  return providers.map(({ slug, status }) => ({ user, provider: slug, status }));
}
