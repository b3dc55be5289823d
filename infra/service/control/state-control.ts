import { z } from 'zod';
import { demoProviders, providerSlugs } from '../connections/provider-catalogue.ts';
import type { Service } from '../service.ts';
import { StateError } from '../storage/state-error.ts';
import { ControlError, type ControlOperation, controlOperation } from './control-server.ts';
import { seedTeam } from './seeding.ts';

const nameSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]{0,99}$/, 'not the name of a snapshot')
    .describe('A letter or digit, and up to 99 letters, digits and the signs `_`, `.` and `-`.'),
});

/** The operations on the whole state. */
export function stateControl(service: Service): ControlOperation[] {
  const { snapshots } = service;
  return [
    controlOperation({
      method: 'POST',
      path: '/snapshots',
      summary: 'Saves the whole state. It replaces a snapshot of the same name.',
      body: nameSchema,
      handle: async ({ name }) => {
        await snapshots.save(name);
        return { name };
      },
    }),
    {
      method: 'GET',
      path: '/snapshots',
      summary: 'Lists the names of the snapshots.',
      body: undefined,
      handle: () => ({ snapshots: snapshots.names() }),
    },
    controlOperation({
      method: 'POST',
      path: '/snapshots/{name}/restore',
      summary: 'Restores a saved state, with its clock.',
      body: nameSchema,
      handle: async ({ name }) => {
        if (!(await snapshots.restore(name).catch(refused))) throw new ControlError(404, 'There is no such snapshot.');
        return { name };
      },
    }),
    controlOperation({
      method: 'POST',
      path: '/seed',
      summary:
        'Creates a team with users, each with one or two connections. The same seed gives the same ids and keys in every service.',
      body: z
        .strictObject({
          seed: z.int().min(0),
          users: z.int().min(1).max(10_000).default(10).describe('Number of users.'),
          providers: z
            .array(z.enum(providerSlugs))
            .min(1)
            .optional()
            .describe('Providers to choose from. Default: all, or all that have demo data.'),
          demo: z.boolean().default(false).describe('Whether the connections are demo connections.'),
        })
        .refine(({ providers = [], demo }) => !demo || providers.every((slug) => demoProviders.includes(slug)), {
          message: 'one of the providers has no demo data',
          path: ['providers'],
        }),
      handle: (given) => {
        const seeded = seedTeam(service, given);
        if (seeded === 'seeded before') throw new ControlError(409, 'The service has the team of this seed already.');
        return seeded;
      },
    }),
  ];
}

function refused(error: unknown): never {
  throw error instanceof StateError ? new ControlError(409, `${error.message} ${error.remedy}`) : error;
}
