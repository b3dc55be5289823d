import type { World } from './world.ts';
import { newUser } from './world.ts';

/** Source object of pushed data. */
export const source = { provider: 'withings', type: 'scale', app_id: null, device_id: null };

/** Creates a user whose provider has one thing: a summary, samples, or a workout with its stream. Returns the user's id. */
export async function userWith(
  world: World,
  resource: string,
  data: Record<string, unknown>,
  stream?: Record<string, unknown>,
): Promise<string> {
  const userId = await newUser(world);
  const user = world.service.users.any(userId)!;
  world.service.connections.connect(user, { provider: source.provider, isDemo: false, isGenerated: false });
  const arrival = { resource, data, stream };
  world.service.ingestion.take(user, source.provider, [arrival]);
  return userId;
}
