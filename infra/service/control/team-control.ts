import { z } from 'zod';
import { dateSchema } from '../api/times.ts';
import { uuidSchema } from '../api/uuid.ts';
import type { Service } from '../service.ts';
import { generations } from '../teams/generation.ts';
import { regions } from '../teams/teams.ts';
import { ControlError, type ControlOperation, controlOperation } from './control-server.ts';

/** Smallest limit of a payload, in bytes. The largest sample still fits. */
const LEAST_PAYLOAD = 4_096;

/** The operations on teams. */
export function teamControl({ teams, organizations, operations }: Service): ControlOperation[] {
  const betas = operations.filter(({ isClosedBeta }) => isClosedBeta === true).map(({ id }) => id);
  const mustExist = (team: string): void => {
    if (teams.find(team) === undefined) throw new ControlError(404, 'There is no such team.');
  };
  return [
    { method: 'GET', path: '/teams', body: undefined, handle: () => ({ teams: teams.list() }) },
    controlOperation({
      method: 'POST',
      path: '/teams',
      body: z.object({
        name: z.string().min(1),
        org_id: uuidSchema.optional(),
        region: z.enum(regions).optional(),
        as_of: dateSchema.optional(),
        generation: z.enum(generations).optional(),
        payload_limit: z.int().min(LEAST_PAYLOAD).optional(),
        partial_webhooks_enabled: z.boolean().optional(),
      }),
      handle: ({ name, ...settings }) => {
        if (settings.org_id !== undefined && organizations.find(settings.org_id) === undefined)
          throw new ControlError(404, 'There is no such organization.');
        return teams.create(name, settings);
      },
    }),
    controlOperation({
      method: 'POST',
      path: '/teams/{team_id}/keys',
      body: z.object({ team_id: uuidSchema }),
      handle: ({ team_id }) => {
        mustExist(team_id);
        return { team_id, api_key: teams.addKey(team_id) };
      },
    }),
    controlOperation({
      method: 'POST',
      path: '/teams/{team_id}/betas',
      body: z.object({
        team_id: uuidSchema,
        operation: z.enum(betas, `not an operation in closed beta: ${betas.join(', ')}`),
        enabled: z.boolean().default(true),
      }),
      handle: ({ team_id, operation, enabled }) => {
        mustExist(team_id);
        teams.betas.set(team_id, operation, enabled);
        return { team_id, betas: teams.betas.of(team_id) };
      },
    }),
  ];
}
