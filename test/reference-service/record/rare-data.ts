import { describedEvents } from '../../catalogue/catalogue.ts';
import { timeseries } from '../../catalogue/event-types.ts';
import { fullEvent } from '../../catalogue/generate.ts';
import type { Json } from '../control.ts';
import type { Answered } from './row.ts';
import { summaryTables } from './wearables.ts';

const PROVIDER = 'withings';

/** Sends a request to the API or to the control port. */
export type Ask = (path: string, body?: object) => Promise<Json>;

/**
 * Adds a user whose provider sends one object of each resource, with every member that the OpenAPI file describes. Demo
 * connections have only some of the resources. Returns the id of the user.
 */
export async function addRareUser(
  ask: Ask,
  steer: Ask,
  resources: readonly string[] = [...summaryTables, ...timeseries],
): Promise<string> {
  const user_id = String((await ask('/v2/user', { client_user_id: 'rare' })).user_id);
  await steer('/connections', { user_id, provider: PROVIDER, is_generated: false });
  for (const [number, resource] of resources.entries()) {
    const data = rareData(user_id, resource, number);
    await steer('/data', { user_id, provider: PROVIDER, resource, data });
    if (resource === 'workouts') await steer('/data', { user_id, provider: PROVIDER, ...streamOf(data) });
  }
  return user_id;
}

/** Returns a workout stream with every column. One column has fewer points than the others. */
function streamOf({ id: workout_id, provider_id, sport, source }: Json): Json {
  const column = (from: number): number[] => [from, from + 2, from + 1];
  const stream = {
    time: [1_767_225_600, 1_767_225_601, 1_767_225_605],
    heartrate: column(100),
    cadence: column(80.5),
    lat: column(52.125),
    lng: column(13.5),
    altitude: column(34.25),
    velocity_smooth: column(2.5),
    distance: column(5.5),
    power: column(150.5).slice(1),
    resistance: column(7),
    temperature: column(21.5),
  };
  return { resource: 'workout_stream', data: { workout_id, provider_id, sport, source }, stream };
}

function rareData(user_id: string, resource: string, number: number): Json {
  const facts = describedEvents.find(({ type }) => type === `daily.data.${resource}.created`)!;
  const { data } = fullEvent(facts, number).body as Answered;
  const repeated = { ...('user_id' in data && { user_id }), ...('source_provider' in data && { source_provider: PROVIDER }) };
  return { ...data, ...repeated, source: { ...data.source, provider: PROVIDER, slug: PROVIDER } };
}
