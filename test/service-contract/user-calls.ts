import { Junction, JunctionError } from '@junction-api/sdk';
import * as schemas from '@junction-api/sdk/serialization';
import { expect } from 'vitest';
import type { SdkCall } from './sdk-call.ts';
import { newUser, START } from './world.ts';

const unknownUser = crypto.randomUUID();

/** How a program manages users with the SDK, by operation. */
export const userCalls: Readonly<Record<string, SdkCall>> = {
  create_user: {
    answer: schemas.ClientFacingUser,
    async call(world) {
      const { sdk, team } = world;
      const settings = { fallbackTimeZone: 'Europe/Berlin', fallbackBirthDate: '1980-02-03', ingestionStart: '2025-01-01' };
      const user = await sdk.user.create({ clientUserId: 'c-1', ...settings });
      expect(user).toMatchObject({
        teamId: team,
        clientUserId: 'c-1',
        createdOn: new Date(START),
        connectedSources: [],
        fallbackTimeZone: { id: 'Europe/Berlin', sourceSlug: 'manual', updatedAt: new Date(START) },
        fallbackBirthDate: { value: '1980-02-03', sourceSlug: 'manual' },
        ingestionStart: '2025-01-01',
      });
      await expect(sdk.user.create({ clientUserId: 'c-1' })).rejects.toMatchObject({
        constructor: Junction.BadRequestError,
        body: { detail: { user_id: user.userId, created_on: '2026-01-01T12:00:00.000+00:00' } },
      });
      await expect(sdk.user.create({ clientUserId: 'person@example.com' })).rejects.toMatchObject({
        constructor: Junction.UnprocessableEntityError,
      });
    },
  },
  list_users: {
    answer: schemas.PaginatedUsersResponse,
    async call(world) {
      const ids = [await newUser(world, 'c-1'), await newUser(world, 'c-2'), await newUser(world, 'c-3')];
      await world.sdk.link.connectDemoProvider({ userId: ids[0]!, provider: 'oura' });
      const pages = [await world.sdk.user.getAll({ offset: 0, limit: 2 }), await world.sdk.user.getAll({ offset: 2, limit: 2 })];
      expect(pages.map(({ total, offset, limit }) => [total, offset, limit])).toEqual([
        [3, 0, 2],
        [3, 2, 2],
      ]);
      const found = pages.flatMap(({ users }) => users);
      expect(found.map(({ userId }) => userId).sort()).toEqual(ids.sort());
      expect(found.find(({ clientUserId }) => clientUserId === 'c-1')!.connectedSources).toMatchObject([
        { createdOn: new Date(START), provider: { slug: 'oura' }, source: { slug: 'oura' } },
      ]);
    },
  },
  get_user: {
    answer: schemas.ClientFacingUser,
    async call(world) {
      const userId = await newUser(world);
      expect(await world.sdk.user.get({ userId })).toMatchObject({ userId, clientUserId: 'c-1' });
      await expect(world.sdk.user.get({ userId: unknownUser })).rejects.toMatchObject({
        constructor: JunctionError,
        statusCode: 404,
      });
    },
  },
  resolve_user: {
    answer: schemas.ClientFacingUser,
    async call(world) {
      const clientUserId = 'a b/ö';
      const userId = await newUser(world, clientUserId);
      expect(await world.sdk.user.getByClientUserId({ clientUserId })).toMatchObject({ userId, clientUserId });
      await expect(world.sdk.user.getByClientUserId({ clientUserId: 'c-2' })).rejects.toMatchObject({ statusCode: 404 });
    },
  },
  patch_user: {
    answer: undefined,
    async call(world) {
      const userId = await newUser(world);
      await world.sdk.user.patch({ userId, clientUserId: 'c-2', fallbackTimeZone: 'Asia/Tokyo', ingestionEnd: '2027-01-01' });
      expect(await world.sdk.user.get({ userId })).toMatchObject({
        clientUserId: 'c-2',
        fallbackTimeZone: { id: 'Asia/Tokyo' },
        ingestionEnd: '2027-01-01',
      });
      await newUser(world, 'c-3');
      await expect(world.sdk.user.patch({ userId, clientUserId: 'c-3' })).rejects.toMatchObject({ statusCode: 400 });
      await expect(world.sdk.user.patch({ userId: unknownUser })).rejects.toMatchObject({ statusCode: 404 });
    },
  },
  delete_user: {
    answer: schemas.UserSuccessResponse,
    async call(world) {
      const userId = await newUser(world);
      expect(await world.sdk.user.delete({ userId })).toEqual({ success: true });
      await expect(world.sdk.user.delete({ userId })).rejects.toMatchObject({ statusCode: 404 });
    },
  },
  undo_delete_user: {
    answer: schemas.UserSuccessResponse,
    async call(world) {
      const { user } = world.sdk;
      const userId = await newUser(world);
      await expect(user.undoDelete({ userId })).rejects.toMatchObject({ statusCode: 404 });
      await user.delete({ userId });
      expect(await user.undoDelete({ userId })).toEqual({ success: true });
      await user.delete({ userId });
      expect(await user.undoDelete({ clientUserId: 'c-1' })).toEqual({ success: true });
      expect(await user.get({ userId })).toMatchObject({ clientUserId: 'c-1' });
      await user.delete({ userId });
      await newUser(world);
      await expect(user.undoDelete({ userId })).rejects.toMatchObject({ statusCode: 400 });
    },
  },
};
