import { z } from 'zod';
import { uuidSchema } from '../api/parameters.ts';
import { dateSchema } from '../api/times.ts';
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
    {
      method: 'GET',
      path: '/teams',
      summary: 'Lists the teams, the oldest first.',
      body: undefined,
      handle: () => ({ teams: teams.list() }),
    },
    controlOperation({
      method: 'POST',
      path: '/teams',
      summary: 'Creates a team with a key.',
      body: z.strictObject({
        name: z.string().min(1),
        org_id: uuidSchema.optional().describe('Organization of the team. Default: the one that is named `default`.'),
        region: z.enum(regions).optional().describe('Default: `us`.'),
        as_of: dateSchema
          .optional()
          .describe('Date of the interface that it sees, such as `2025-05-08`. Default: that of its organization.'),
        generation: z
          .enum(generations)
          .optional()
          .describe(
            'Form of the source object. `old` has the name, slug and logo of the provider, `current` has the provider, type, app and device. Default: `both`.',
          ),
        payload_limit: z
          .int()
          .min(LEAST_PAYLOAD)
          .optional()
          .describe('Largest body of an event, in bytes. Larger batches of samples are split. Default: 262144.'),
        partial_webhooks_enabled: z
          .boolean()
          .optional()
          .describe('Whether the team gets events about partial results of orders. Default: `false`.'),
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
      summary: 'Creates a further key of a team. The other keys stay valid.',
      body: z.strictObject({ team_id: uuidSchema }),
      handle: ({ team_id }) => {
        mustExist(team_id);
        return { team_id, api_key: teams.addKey(team_id) };
      },
    }),
    controlOperation({
      method: 'POST',
      path: '/teams/{team_id}/betas',
      summary: 'Lets a team call an operation in closed beta, which refuses other teams with 403.',
      body: z.strictObject({
        team_id: uuidSchema,
        operation: z.enum(betas, `not an operation in closed beta: ${betas.join(', ')}`),
        enabled: z.boolean().default(true).describe('`false` refuses the team again.'),
      }),
      handle: ({ team_id, operation, enabled }) => {
        mustExist(team_id);
        teams.betas.set(team_id, operation, enabled);
        return { team_id, betas: teams.betas.of(team_id) };
      },
    }),
  ];
}
