import { z } from 'zod';
import { uuidSchema } from '../api/parameters.ts';
import { instant, instantSchema, LAST_INSTANT } from '../api/times.ts';
import { connectionForm, errorTypes } from '../connections/connections.ts';
import { providerOf, providerSlugs } from '../connections/providers.ts';
import { dataControlOperation } from '../data/data-control.ts';
import { orderControl } from '../orders/order-control.ts';
import { pullControlOperations } from '../pulls/pull-control.ts';
import { reportControl } from '../reports/report-operations.ts';
import type { Service } from '../service.ts';
import type { User } from '../users/users.ts';
import { ControlError, type ControlOperation } from './control-server.ts';
import { pipelineControl } from './pipeline-control.ts';
import { faultControl, limitControl, requestControl } from './request-control.ts';
import { stateControl } from './state-control.ts';
import { organizationControl, teamControl } from './team-control.ts';
import { deliveryControl, endpointControl } from './webhook-control.ts';

const clockSchema = z.object({ now: instantSchema, runs: z.boolean() });

/** The operations with which a test or a person controls the service. */
export function controlOperations(service: Service): ControlOperation[] {
  const userOf = (id: unknown): User => {
    const user = service.users.any(id as string);
    if (user === undefined) throw new ControlError(404, 'There is no such user.');
    return user;
  };
  const timeIn = (seconds: number) => service.clock.now() + Math.round(seconds * 1000);
  const clock = () => ({ now: instant(service.clock.now()), runs: service.clock.runs });
  return [
    ...organizationControl(service),
    ...teamControl(service),
    {
      method: 'POST',
      path: '/connections',
      summary: 'Connects a user to a provider. The connection is not a demo connection.',
      body: z.strictObject({
        user_id: uuidSchema,
        provider: z.enum(providerSlugs),
        external_user_id: z.string().nullable().default(null).describe('Name or e-mail address at the provider.'),
        unavailable: z.array(z.string()).default([]).describe('Resources of the provider that the user does not share.'),
        is_generated: z
          .boolean()
          .default(true)
          .describe('Whether the service generates data. If not, only `POST /data` brings data.'),
      }),
      handle: ({ user_id, provider, external_user_id, unavailable, is_generated }) => {
        const user = userOf(user_id);
        const { resources } = providerOf(provider as string)!;
        if (!(unavailable as string[]).every((resource) => resources.includes(resource)))
          throw new ControlError(409, 'The provider does not have all of the unavailable resources.');
        const connection = service.connections.connect(user, {
          provider: provider as string,
          isDemo: false,
          externalUserId: external_user_id as string | null,
          unavailable: unavailable as string[],
          isGenerated: is_generated as boolean,
        });
        if (connection === 'real and demo') throw new ControlError(409, 'The user has demo connections.');
        if (connection === 'duplicate')
          throw new ControlError(409, 'Another user of the team has this account, and the team rejects duplicate connections.');
        return connectionForm(connection);
      },
    },
    {
      method: 'POST',
      path: '/connections/break',
      summary: 'Breaks a connection, with an event. `POST /connections` connects the user again.',
      body: z.strictObject({
        user_id: uuidSchema,
        provider: z.enum(providerSlugs),
        error_type: z.enum(errorTypes).default('token_refresh_failed'),
        error_message: z.string().default('The provider no longer accepts the access.'),
      }),
      handle: ({ user_id, provider, error_type, error_message }) => {
        const given = { error_type: error_type as string, error_message: error_message as string };
        if (!service.connections.break(userOf(user_id), provider as string, given))
          throw new ControlError(409, 'The user has no working connection to this provider.');
        return connectionForm(service.connections.find(user_id as string, provider as string)!);
      },
    },
    dataControlOperation(service.users, service.connections, (...given) => service.ingestion.take(...given)),
    ...pullControlOperations(service.pulls, service.users),
    orderControl(service.labs.orders),
    reportControl(service.users, service.reports),
    {
      method: 'GET',
      path: '/clock',
      summary: 'Shows the virtual clock.',
      body: undefined,
      handle: () => clockSchema.parse(clock()),
    },
    {
      method: 'POST',
      path: '/clock/advance',
      summary: 'Moves the clock, and does what is due until then. It answers after the last attempt of a delivery.',
      body: z
        .strictObject({
          seconds: z.number().min(0).describe('Virtual seconds. With 0, the service does only what is due already.'),
        })
        .refine(({ seconds }) => timeIn(seconds) <= LAST_INSTANT, {
          path: ['seconds'],
          message: 'the clock ends with the year 9999',
        }),
      handle: async ({ seconds }) => {
        await service.jobs.advanceTo(timeIn(seconds as number));
        return clock();
      },
    },
    {
      method: 'POST',
      path: '/clock/run',
      summary: 'Lets the clock run, or stops it.',
      body: z.strictObject({ runs: z.boolean().describe('Whether the clock moves by itself, as fast as real time.') }),
      handle: ({ runs }) => {
        service.clock.setRunning(runs as boolean);
        service.jobs.wake();
        return clock();
      },
    },
    ...endpointControl(service),
    ...deliveryControl(service),
    ...pipelineControl(service),
    ...faultControl(service),
    ...limitControl(service),
    requestControl(service),
    ...stateControl(service),
  ];
}
