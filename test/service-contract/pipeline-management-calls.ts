import { expect } from 'vitest';
import type { ManagementCall } from './management-calls.ts';
import type { World } from './world.ts';

const PIPELINES = '/team_etl_pipelines/sandbox/us';
const namespace = 'Endpoint=sb://hubs.example.com/;SharedAccessKeyName=n;SharedAccessKey=';
const azure_amqp = {
  connection_string: `${namespace}a2V5`,
  default_event_hub: 'rest',
  compression: 'always',
  event_hub_matchers: [
    { event_type_prefix: 'daily.', event_hub: 'daily' },
    { event_type_regex: '^labtest\\.', event_hub: 'labs' },
  ],
};

const upsert = ({ manage, team }: World) => manage('POST', PIPELINES, { body: { team_ids: [team], azure_amqp, svix: {} } });
const expected = ({ team: team_id }: World) => [
  { team_id, azure_amqp: { ...azure_amqp, connection_string: `${namespace}***` }, preferences: { preferred: 'azure_amqp' } },
];

export const pipelineManagementCalls: Readonly<Record<string, ManagementCall>> = {
  async upsert_team_etl_pipelines(world) {
    expect(await upsert(world)).toMatchObject({ status: 200, body: expected(world) });
    const cloud_pubsub = { project: 'p', topic: 't', message_ordering: false };
    expect(await world.manage('POST', PIPELINES, { body: { team_ids: [world.team], cloud_pubsub } })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('Event Hubs and webhooks only') },
    });
  },
  async list_team_etl_pipelines(world) {
    await upsert(world);
    expect(await world.manage('GET', `${PIPELINES}?team_id=${world.team}`)).toMatchObject({
      status: 200,
      body: { pipelines: expected(world), next_cursor: null },
    });
  },
  async delete_team_etl_pipelines(world) {
    await upsert(world);
    const remove = () => world.manage('DELETE', `${PIPELINES}?team_id=${world.team}`);
    expect(await remove()).toMatchObject({ status: 200, body: expected(world) });
    expect(await remove()).toEqual({ status: 200, body: [] });
  },
  async get_event_delivery_metric({ manage, service, team }) {
    // Nothing listens on the port, so the attempt fails.
    service.endpoints.create(team, { url: 'http://127.0.0.1:1' });
    service.outbox.add({ team_id: team }, 'labtest.order.created', {});
    await service.jobs.settle();
    const { status, body } = await manage('GET', `/team/${team}/sandbox/event_delivery_metric?interval=1d`);
    expect([status, body.status, body.data.resultType]).toEqual([200, 'success', 'matrix']);
    const [series] = body.data.result;
    expect(series.metric).toMatchObject({ destination: 'svix', outcome: 'failed' });
    expect([series.values.length, series.values.at(-1)[1]]).toEqual([30, '1']);
  },
};
