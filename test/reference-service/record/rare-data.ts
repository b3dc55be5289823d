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
  }
  return user_id;
}

function rareData(user_id: string, resource: string, number: number): Json {
  const facts = describedEvents.find(({ type }) => type === `daily.data.${resource}.created`)!;
  const { data } = fullEvent(facts, number).body as Answered;
  const repeated = { ...('user_id' in data && { user_id }), ...('source_provider' in data && { source_provider: PROVIDER }) };
  return { ...data, ...repeated, source: { ...data.source, provider: PROVIDER, slug: PROVIDER } };
}
