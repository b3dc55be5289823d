import * as schemas from '@junction-api/sdk/serialization';
import { expect } from 'vitest';
import { until } from '../../infra/machine/waiting.fixture.ts';
import type { SdkCall } from './sdk-call.ts';
import { newUser, START, type World } from './world.ts';
import { source, userWith } from './world-data.ts';

const DAY_MS = 86_400_000;
const unknownUser = crypto.randomUUID();
const device_id = '7a1e2b3c-0000-4000-8000-000000000003';
const worn = {
  source: { ...source, device_id },
  data: [{ timestamp: '2026-01-01T07:00:00+00:00', timezone_offset: 0, type: null, unit: 'kg', value: 71.5 }],
};

async function connected(world: World): Promise<string> {
  const userId = await newUser(world);
  await world.sdk.link.connectDemoProvider({ userId, provider: 'fitbit' });
  return userId;
}

/** How a program asks for devices, refreshes and historical pulls with the SDK, by operation. */
export const dataCalls: Readonly<Record<string, SdkCall>> = {
  list_devices: {
    answer: schemas.user.getDevices.Response,
    async call(world) {
      const userId = await userWith(world, 'weight', worn);
      expect(await world.sdk.user.getDevices({ userId })).toMatchObject([
        { id: device_id, userId, provider: source.provider, sourceType: source.type },
      ]);
      await expect(world.sdk.user.getDevices({ userId: unknownUser })).rejects.toMatchObject({ statusCode: 404 });
    },
  },
  get_device: {
    answer: schemas.ClientFacingDevice,
    async call(world) {
      const userId = await userWith(world, 'weight', worn);
      expect(await world.sdk.user.getDevice({ userId, deviceId: device_id })).toMatchObject({ id: device_id, userId });
      await expect(world.sdk.user.getDevice({ userId, deviceId: unknownUser })).rejects.toMatchObject({ statusCode: 404 });
    },
  },
  refresh_user: {
    answer: schemas.UserRefreshSuccessResponse,
    async call(world) {
      const { sdk, service } = world;
      const userId = await newUser(world);
      await expect(sdk.user.refresh({ userId })).rejects.toMatchObject({
        statusCode: 400,
        body: { success: false, user_id: userId, error: 'user has no connected sources' },
      });
      await sdk.link.connectDemoProvider({ userId, provider: 'fitbit' });
      expect((await sdk.user.refresh({ userId })).inProgressSources).toContain('fitbit/sleep');
      await service.jobs.advanceTo(START + DAY_MS);
      const refreshed = await sdk.user.refresh({ userId });
      expect(refreshed).toMatchObject({ success: true, inProgressSources: [], failedSources: [] });
      expect(refreshed.refreshedSources).toContain('fitbit/sleep');
    },
  },
  introspect_historical_pulls: {
    answer: schemas.UserHistoricalPullsResponse,
    async call(world) {
      const { sdk, service } = world;
      const userId = await connected(world);
      const before = await sdk.introspect.getUserHistoricalPulls({ userId, userLimit: 1 });
      expect(before.data).toMatchObject([{ userId, provider: { fitbit: { pulled: { sleep: { status: 'scheduled' } } } } }]);
      await service.jobs.advanceTo(START + DAY_MS);
      const after = await sdk.introspect.getUserHistoricalPulls({ provider: 'fitbit' });
      expect(after.data).toMatchObject([{ userId, provider: { fitbit: { pulled: { sleep: { status: 'success' } } } } }]);
      expect(after.nextCursor).toBeNull();
    },
  },
  introspect_resources: {
    answer: schemas.UserResourcesResponse,
    async call(world) {
      const { sdk, service } = world;
      const userId = await connected(world);
      await service.jobs.advanceTo(START + DAY_MS);
      const { data } = await sdk.introspect.getUserResources({ userId });
      expect(data).toMatchObject([{ userId, provider: { fitbit: { sleep: { lastAttempt: { status: 'success' } } } } }]);
    },
  },
  bulk_trigger_historical_pull: {
    // The vendor documents status 200 with any JSON, and status 202 without a body.
    answer: { parseOrThrow: (raw) => expect([undefined, { success: true }]).toContainEqual(raw) },
    async call(world) {
      const { sdk, service } = world;
      const userId = await connected(world);
      await service.jobs.advanceTo(START + DAY_MS);
      await sdk.link.bulkTriggerHistoricalPull({ userIds: [userId], provider: 'fitbit' });
      await service.jobs.advanceTo(START + 2 * DAY_MS);
      const triggered = sdk.link.bulkTriggerHistoricalPull({ userIds: [userId], provider: 'fitbit', waitForCompletion: true });
      await until('the pull', () => service.pulls.isRunning(userId, 'fitbit', 'sleep'));
      await service.jobs.advanceTo(START + 3 * DAY_MS);
      await triggered;
    },
  },
};
