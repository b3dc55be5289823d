import { z } from 'zod';
import { instant } from '../api/times.ts';
import { uuidSchema } from '../api/uuid.ts';
import type { HubStatus } from '../etl/hubs.ts';
import { type Pipeline, pipelineSchema } from '../etl/pipeline.ts';
import type { Service } from '../service.ts';
import { ControlError, type ControlOperation, controlOperation } from './control-server.ts';

const teamSchema = z.object({ team_id: uuidSchema });

/** The operations on ETL pipelines. */
export function pipelineControl({ pipelines, teams }: Service): ControlOperation[] {
  const formOf = (team_id: string) => {
    const pipeline = pipelines.find(team_id);
    if (pipeline === undefined) throw new ControlError(404, 'The team has no pipeline.');
    const { hubs, ...sums } = pipelines.status(team_id)!;
    return { team_id, ...withoutKey(pipeline), ...sums, hubs: hubs.map(hubForm) };
  };
  return [
    controlOperation({
      method: 'POST',
      path: '/pipelines/{team_id}',
      body: pipelineSchema.extend(teamSchema.shape),
      handle: ({ team_id, ...pipeline }) => {
        if (teams.find(team_id) === undefined) throw new ControlError(404, 'There is no such team.');
        pipelines.set(team_id, pipeline);
        return formOf(team_id);
      },
    }),
    controlOperation({
      method: 'GET',
      path: '/pipelines/{team_id}',
      body: teamSchema,
      handle: ({ team_id }) => formOf(team_id),
    }),
    controlOperation({
      method: 'POST',
      path: '/pipelines/{team_id}/remove',
      body: teamSchema,
      handle: ({ team_id }) => {
        if (!pipelines.remove(team_id)) throw new ControlError(404, 'The team has no pipeline.');
        return { success: true };
      },
    }),
    controlOperation({
      method: 'GET',
      path: '/pipelines/{team_id}/undeliverable',
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

/** Answers hold no secret of a namespace. */
function withoutKey({ azure_amqp, ...pipeline }: Pipeline): Pipeline {
  const connection_string = azure_amqp.connection_string.replace(/(SharedAccessKey=)[^;]+/i, '$1***');
  return { ...pipeline, azure_amqp: { ...azure_amqp, connection_string } };
}
