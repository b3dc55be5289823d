import { z } from 'zod';
import { problem } from '../api/errors.ts';
import type { Operation } from '../api/operation.ts';
import { uuidSchema } from '../api/uuid.ts';
import type { Pipelines } from '../etl/pipelines.ts';
import type { TeamRecord } from '../teams/teams.ts';
import { managedOperation, type Owners, regionParams } from './managed-operation.ts';
import { Pages } from './paging.ts';
import { changedPipeline } from './pipeline-change.ts';
import { managedPipelineForm, managedPipelineSchema, pipelineRequestSchema } from './pipeline-forms.ts';

const tag = 'ETL pipeline';
const PIPELINES = '/v1/org/{org_id}/team_etl_pipelines/{env}/{region}';

interface Parts extends Owners {
  readonly pipelines: Pipelines;
}

/** The operations on the pipelines of teams. */
export function pipelineOperations(parts: Parts): Operation[] {
  const { pipelines } = parts;
  const pages = new Pages(parts.cursors, 'ETL pipelines');
  const hasPipeline = ({ team_id }: TeamRecord): boolean => pipelines.find(team_id) !== undefined;
  const form = ({ team_id }: TeamRecord) => managedPipelineForm(team_id, pipelines.find(team_id)!);
  return [
    managedOperation(parts, {
      ...{ id: 'list_team_etl_pipelines', method: 'GET', path: PIPELINES, tag },
      summary: 'Lists the pipelines of teams, those of the oldest teams first.',
      managed: 'teams',
      params: regionParams,
      query: z.object({ team_id: uuidSchema.nullish(), next_cursor: pages.parameter }),
      answers: {
        200: {
          description: 'A page of pipelines, without the keys of their namespaces.',
          schema: z.object({ pipelines: z.array(managedPipelineSchema), next_cursor: z.string().nullable() }),
        },
      },
      handle: ({ teams, query: { team_id, next_cursor: after } }) => {
        const all = teams(team_id == null ? undefined : [team_id]).filter((team) => team.number > after && hasPipeline(team));
        const { page, next_cursor } = pages.of(all);
        return { status: 200, body: { pipelines: page.map(form), next_cursor } };
      },
    }),
    managedOperation(parts, {
      ...{ id: 'upsert_team_etl_pipelines', method: 'POST', path: PIPELINES, tag },
      summary: 'Creates or changes the pipelines of teams: of all of them, or of none.',
      managed: 'teams',
      params: regionParams,
      body: pipelineRequestSchema,
      answers: {
        200: { description: 'The pipelines, without the keys of their namespaces.', schema: z.array(managedPipelineSchema) },
        400: problem('A destination that this service does not have, or preferences that do not fit the destinations.'),
      },
      handle: ({ teams, body }) => {
        const found = teams(body.team_ids);
        pipelines.change(
          found.map(({ team_id }) => team_id),
          (before) => changedPipeline(before, body),
        );
        return { status: 200, body: found.map(form) };
      },
    }),
    managedOperation(parts, {
      ...{ id: 'delete_team_etl_pipelines', method: 'DELETE', path: PIPELINES, tag },
      summary: 'Removes the pipelines of teams, and the events that wait for their hubs.',
      managed: 'teams',
      params: regionParams,
      query: z.object({ team_id: z.array(uuidSchema).min(1) }),
      answers: {
        200: { description: 'The pipelines that were removed.', schema: z.array(managedPipelineSchema) },
      },
      handle: ({ teams, query: { team_id } }) => {
        const found = teams(team_id).filter(hasPipeline);
        const removed = found.map(form);
        pipelines.remove(...found.map((team) => team.team_id));
        return { status: 200, body: removed };
      },
    }),
  ];
}
