import { z } from 'zod';
import { demoProviders, providerSlugs } from '../connections/providers.ts';
import type { Service } from '../service.ts';
import { StateError } from '../storage/database.ts';
import { drawsOf } from '../storage/draws.ts';
import type { Team } from '../teams/teams.ts';
import type { User } from '../users/users.ts';
import { ControlError, type ControlOperation, controlOperation } from './control-server.ts';

const nameSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]{0,99}$/, 'not the name of a snapshot')
    .describe('A letter or digit, and up to 99 letters, digits and the signs `_`, `.` and `-`.'),
});

interface SeededUser {
  readonly user_id: string;
  readonly client_user_id: string;
  readonly providers: readonly string[];
}

interface SeededTeam extends Team {
  readonly api_key: string;
  readonly users: readonly SeededUser[];
}

interface Given {
  readonly seed: number;
  readonly users: number;
  /** Providers to choose from. Default: all, or all with demo data. */
  readonly providers?: readonly string[] | undefined;
  readonly demo: boolean;
}

/**
 * Creates a team with users, each with one or two connections. The same input gives the same ids and keys in every service,
 * whatever the service did before.
 */
function seedTeam(service: Service, { seed, users, providers, demo }: Given): SeededTeam | 'seeded before' {
  const { teams } = service;
  if (teams.find(drawsOf(seedOf(seed)).uuid('team')) !== undefined) return 'seeded before';
  const draws = drawsOf(seedOf(seed));
  return service.atomically(() => {
    const team = teams.create(`seed ${seed}`, {}, draws);
    const choice = providers ?? (demo ? demoProviders : providerSlugs);
    const made = Array.from({ length: users }, (_, index) => {
      const user = service.users.create(team.team_id, `seed-${seed}-${index + 1}`, {}, draws) as User;
      const [first = 0, second = 0, isOne = 0] = draws.bytes('connections', 3);
      const chosen = [first, ...(isOne < 128 ? [] : [second])].map((byte) => choice[byte % choice.length]!);
      const slugs = [...new Set(chosen)];
      for (const provider of slugs) service.connections.connect(user, { provider, isDemo: demo });
      return { user_id: user.user_id, client_user_id: user.client_user_id, providers: slugs };
    });
    return { ...team, users: made };
  });
}

const seedOf = (seed: number): string => `seed ${seed}`;

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
