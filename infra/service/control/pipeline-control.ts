import { z } from 'zod';
import { uuidSchema } from '../api/parameters.ts';
import { instant } from '../api/times.ts';
import type { HubStatus } from '../etl/hubs.ts';
import { hubPipelineSchema, withoutSecrets } from '../etl/pipeline.ts';
import { NO_SCALE } from '../management/managed-operation.ts';
import type { Service } from '../service.ts';
import { hasScale } from '../teams/organizations.ts';
import { type Change, changes } from '../versions/versions.ts';
import { ControlError, type ControlOperation, controlOperation } from './control-server.ts';

const teamSchema = z.strictObject({ team_id: uuidSchema });

/** The operations on ETL pipelines. */
export function pipelineControl({ pipelines, teams, organizations, versions }: Service): ControlOperation[] {
  const formOf = (team_id: string) => {
    const pipeline = pipelines.find(team_id);
    if (pipeline === undefined) throw new ControlError(404, 'The team has no pipeline.');
    const { hubs, ...sums } = pipelines.status(team_id)!;
    return { team_id, ...withoutSecrets(pipeline), ...sums, hubs: hubs.map(hubForm) };
  };
  return [
    controlOperation({
      method: 'POST',
      path: '/pipelines/{team_id}',
      summary: 'Sets the pipeline of a team, which sends its events to hubs. The plan of the organization must be `scale`.',
      body: hubPipelineSchema.extend(teamSchema.shape).strict(),
      handle: ({ team_id, ...pipeline }) => {
        const team = teams.find(team_id);
        if (team === undefined) throw new ControlError(404, 'There is no such team.');
        if (!hasScale(organizations.find(team.org_id)!)) throw new ControlError(403, NO_SCALE);
        const needed: Change =
          pipeline.azure_amqp.event_hub_matchers.length > 0 ? 'hubs by event type' : 'pipelines to Event Hubs';
        if (!versions.has(needed, team_id))
          throw new ControlError(409, `The interface of the team has no ${needed}: it came on ${changes[needed]}.`);
        pipelines.set(team_id, pipeline);
        return formOf(team_id);
      },
    }),
    controlOperation({
      method: 'GET',
      path: '/pipelines/{team_id}',
      summary: 'Shows the pipeline of a team, and for each hub how many events wait and why the last attempt failed.',
      body: teamSchema,
      handle: ({ team_id }) => formOf(team_id),
    }),
    controlOperation({
      method: 'POST',
      path: '/pipelines/{team_id}/remove',
      summary: 'Removes the pipeline of a team.',
      body: teamSchema,
      handle: ({ team_id }) => {
        if (!pipelines.remove(team_id)) throw new ControlError(404, 'The team has no pipeline.');
        return { success: true };
      },
    }),
    controlOperation({
      method: 'GET',
      path: '/pipelines/{team_id}/undeliverable',
      summary: 'Lists the events that are larger than their hub accepts.',
      body: teamSchema,
      handle: ({ team_id }) => ({
        events: pipelines.undeliverable(team_id).map((event) => ({ ...event, noted_at: instant(event.noted_at) })),
      }),
    }),
  ];
}

function hubForm({ last_error_at, ...hub }: HubStatus) {
  return { ...hub, last_error_at: last_error_at === null ? null : instant(last_error_at) };
}
