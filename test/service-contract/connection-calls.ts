import * as schemas from '@junction-api/sdk/serialization';
import { expect } from 'vitest';
import type { SdkCall } from './sdk-call.ts';
import { newUser, START } from './world.ts';

const unknownUser = crypto.randomUUID();

/** How a program manages connections with the SDK, by operation. */
export const connectionCalls: Readonly<Record<string, SdkCall>> = {
  connect_demo_provider: {
    answer: schemas.DemoConnectionStatus,
    async call(world) {
      const { link } = world.sdk;
      const userId = await newUser(world);
      for (const provider of ['apple_health_kit', 'fitbit', 'freestyle_libre', 'oura'] as const) {
        expect(await link.connectDemoProvider({ userId, provider })).toMatchObject({ success: true });
      }
      await expect(link.connectDemoProvider({ userId: unknownUser, provider: 'oura' })).rejects.toMatchObject({
        statusCode: 404,
      });
      const wearer = await newUser(world, 'c-2');
      world.service.connections.connect(world.service.users.any(wearer)!, { provider: 'garmin', isDemo: false });
      await expect(link.connectDemoProvider({ userId: wearer, provider: 'oura' })).rejects.toMatchObject({ statusCode: 400 });
    },
  },
  list_connections: {
    answer: schemas.user.getConnectedProviders.Response,
    async call(world) {
      const { sdk, service } = world;
      const userId = await newUser(world);
      const user = service.users.any(userId)!;
      service.connections.connect(user, { provider: 'garmin', isDemo: false, externalUserId: 'g-1' });
      service.connections.connect(user, { provider: 'withings', isDemo: false });
      const broken = { error_type: 'token_refresh_failed', error_message: 'The provider no longer accepts the access.' };
      service.connections.break(user, 'withings', broken);
      const { providers = [] } = await sdk.user.getConnectedProviders({ userId });
      expect(providers).toMatchObject([
        { slug: 'garmin', createdOn: new Date(START), status: 'connected', externalUserId: 'g-1', errorDetails: null },
        {
          slug: 'withings',
          status: 'error',
          errorDetails: { errorType: broken.error_type, errorMessage: broken.error_message, erroredAt: new Date(START) },
          resourceAvailability: { weight: { status: 'available' } },
        },
      ]);
      await expect(sdk.user.getConnectedProviders({ userId: unknownUser })).rejects.toMatchObject({ statusCode: 404 });
    },
  },
  deregister_provider: {
    answer: schemas.UserSuccessResponse,
    async call(world) {
      const { sdk } = world;
      const userId = await newUser(world);
      await sdk.link.connectDemoProvider({ userId, provider: 'fitbit' });
      expect(await sdk.user.deregisterProvider({ userId, provider: 'fitbit' })).toEqual({ success: true });
      expect(await sdk.user.getConnectedProviders({ userId })).toEqual({ providers: [] });
      await expect(sdk.user.deregisterProvider({ userId, provider: 'fitbit' })).rejects.toMatchObject({ statusCode: 404 });
    },
  },
  get_metrics: {
    answer: schemas.MetricsResult,
    async call(world) {
      const { sdk, team } = world;
      const userId = await newUser(world);
      await newUser(world, 'c-2');
      await sdk.link.connectDemoProvider({ userId, provider: 'oura' });
      expect(await sdk.user.getTeamMetrics()).toEqual({
        teamId: team,
        numberOfUsers: 2,
        numberOfConnectedSources: 1,
        numberOfErroredConnectedSources: 0,
        // 2026-01-01 was a Thursday.
        numberOfConnectedSourcesByWeek: [{ date: new Date('2025-12-29T00:00:00Z'), value: 1, all: 1 }],
        numberOfOrderedTests: 0,
      });
    },
  },
};
