import { z } from 'zod';
import { uuidSchema } from '../api/parameters.ts';
import { instant } from '../api/times.ts';
import { providerOf, providerSlugs } from '../connections/providers.ts';
import { ControlError, type ControlOperation } from '../control/control-server.ts';
import type { User, Users } from '../users/users.ts';
import type { HistoricalPulls } from './historical-pulls.ts';
import { outcomeSchema } from './outcomes.ts';
import { type Attempt, orNull, type Pull, pullForm } from './pull.ts';

const scriptSchema = z.strictObject({
  provider: z.enum(providerSlugs),
  user_id: uuidSchema.nullable().default(null).describe('`null` means all users.'),
  resource: z.string().nullable().default(null).describe('`null` means all resources of the provider.'),
  outcomes: z
    .array(outcomeSchema)
    .max(100)
    .describe('How the next attempts end, in this order. Later ones succeed. An empty list removes the script.'),
});

const triggerSchema = z.strictObject({ user_ids: z.array(uuidSchema).min(1), provider: z.enum(providerSlugs) });

/** The control operations on historical pulls: their scripts, their whole state, and new pulls. */
export function pullControlOperations(pulls: HistoricalPulls, users: Users): ControlOperation[] {
  return [
    {
      method: 'POST',
      path: '/pulls/script',
      summary: 'Sets what the next attempts of historical pulls do. It replaces the script for the same pulls.',
      body: scriptSchema,
      handle: (body) => {
        const script = body as z.output<typeof scriptSchema>;
        if (script.user_id !== null && users.any(script.user_id) === undefined)
          throw new ControlError(404, 'There is no such user.');
        if (script.resource !== null && !providerOf(script.provider)!.resources.includes(script.resource))
          throw new ControlError(409, 'The provider does not have this resource.');
        pulls.scripts.set(script);
        return { scripts: pulls.scripts.all() };
      },
    },
    {
      method: 'GET',
      path: '/pulls/scripts',
      summary: 'Lists the scripts as they were set.',
      body: undefined,
      handle: () => ({ scripts: pulls.scripts.all() }),
    },
    {
      method: 'POST',
      path: '/pulls/trigger',
      summary: 'Pulls the history of users again.',
      body: triggerSchema,
      handle: (body) => {
        const { user_ids, provider } = body as z.output<typeof triggerSchema>;
        const found = user_ids.map((id) => users.any(id));
        if (found.includes(undefined)) throw new ControlError(404, 'There is no such user.');
        const teams = Map.groupBy(found as User[], ({ team_id }) => team_id);
        const planned = [...teams].flatMap(([team, of]) =>
          pulls.trigger(
            team,
            of.map(({ user_id }) => user_id),
            provider,
          ),
        );
        return { planned: planned.length };
      },
    },
    {
      method: 'POST',
      path: '/pulls/list',
      summary: 'Lists historical pulls with all their attempts.',
      body: z.strictObject({ user_id: uuidSchema.nullable().default(null).describe('`null` means all users.') }),
      handle: ({ user_id }) => ({
        pulls: pulls.store.all(user_id as string | null).map((pull) => wholeForm(pull, pulls.store.attemptsOf(pull.pull_id))),
      }),
    },
  ];
}

/** Returns a pull with what the API does not show. */
function wholeForm(pull: Pull, attempts: readonly Attempt[]): object {
  const { user_id, provider, resource, is_legacy, chunks_done, next_attempt_at, days } = pull;
  return {
    user_id,
    provider,
    resource,
    ...pullForm(pull),
    days: JSON.parse(days),
    is_legacy: is_legacy === 1,
    chunks_done,
    next_attempt_at: orNull(next_attempt_at),
    attempts: attempts.map(({ attempt, started_at, ended_at, result, chunks }) => ({
      attempt,
      result,
      chunks,
      started_at: instant(started_at),
      ended_at: orNull(ended_at),
    })),
  };
}
