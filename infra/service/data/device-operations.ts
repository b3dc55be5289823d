import { z } from 'zod';
import { problem } from '../api/errors.ts';
import { type Operation, operation } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';
import { notFound, UNKNOWN, type Users, userIdParams } from '../users/users.ts';
import { idSchema, sourceTypeSchema } from './forms/values.ts';
import type { Ingestion } from './ingestion.ts';

export const deviceSchema = z
  .strictObject({
    id: idSchema,
    user_id: idSchema,
    provider: z.string(),
    source_type: sourceTypeSchema,
    app_id: z.string().nullish(),
    device_manufacturer: z.string().nullish(),
    device_model: z.string().nullish(),
    device_version: z.string().nullish(),
    device_id: z.string().nullish().describe('Id at the provider.'),
  })
  .meta({ id: 'Device' });

/** The operations on the devices of a user. */
export function deviceOperations(users: Users, { devices }: Ingestion): Operation[] {
  return [
    operation({
      id: 'list_devices',
      method: 'GET',
      path: '/v2/user/{user_id}/device',
      tag: 'user',
      summary: 'Lists the devices of a user.',
      params: userIdParams,
      answers: { 200: { description: 'The devices.', schema: z.array(deviceSchema) }, 404: notFound },
      handle: ({ team, params: { user_id } }) =>
        users.find(team.team_id, user_id) === undefined ? UNKNOWN : { status: 200, body: devices.of(user_id) },
    }),
    operation({
      id: 'get_device',
      method: 'GET',
      path: '/v2/user/{user_id}/device/{device_id}',
      tag: 'user',
      summary: 'Returns a device of a user.',
      params: userIdParams.extend({ device_id: uuidSchema }),
      answers: {
        200: { description: 'The device.', schema: deviceSchema },
        404: problem('There is no such user or device.'),
      },
      handle: ({ team, params: { user_id, device_id } }) => {
        if (users.find(team.team_id, user_id) === undefined) return UNKNOWN;
        const device = devices.find(user_id, device_id);
        return device === undefined ? { status: 404, body: { detail: 'Device not found' } } : { status: 200, body: device };
      },
    }),
  ];
}
