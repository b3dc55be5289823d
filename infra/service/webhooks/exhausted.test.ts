import { afterEach, expect, test } from 'vitest';
import { pipelineSchema } from '../etl/pipeline.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';
import type { Delivery } from './deliveries.ts';

const START = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const TYPE = 'message.attempt.exhausted';

let service: Service;
afterEach(() => service.close());

/** A service whose endpoints fail if `down` is in their address. */
function scripted() {
  const sent: { readonly url: string; readonly event: { event_type: string } }[] = [];
  const toHubs: unknown[] = [];
  service = new Service({
    start: START,
    runs: false,
    send: async ({ url }, { body }) => {
      sent.push({ url, event: JSON.parse(body) });
      return url.includes('down') ? 500 : 204;
    },
    sendToHub: async ({ events }) => {
      toHubs.push(...events.map(({ properties }) => properties['event-type']));
      return [];
    },
  });
  const team = service.teams.create('first').team_id;
  const user = service.users.create(team, 'c-1', {}) as User;
  const told = () => sent.filter(({ event }) => event.event_type === TYPE);
  return { team, user, toHubs, told };
}

test('an endpoint that asks for the type is told when a message has failed in its last attempt at another one', async () => {
  const { team, user, told } = scripted();
  const failing = service.endpoints.create(team, { url: 'http://down' });
  service.endpoints.create(team, { url: 'http://up', filterTypes: [TYPE] });
  service.endpoints.create(team, { url: 'http://all' });
  service.endpoints.create(service.teams.create('second').team_id, { url: 'http://other', filterTypes: [TYPE] });
  service.outbox.add(user, 'a', {});
  await service.jobs.advanceTo(START + DAY);
  expect(told()).toEqual([]);
  await service.jobs.advanceTo(START + 4 * DAY);
  const [{ message_id }] = service.deliveries.to(failing.endpoint_id) as [Delivery];
  // The last attempt is 27 hours, 35 minutes and 5 seconds after the first.
  const timestamp = '2026-01-02T03:35:05.000+00:00';
  expect(told()).toEqual([
    {
      url: 'http://up',
      event: {
        event_type: TYPE,
        team_id: team,
        user_id: user.user_id,
        client_user_id: 'c-1',
        data: {
          appId: team,
          endpointId: failing.endpoint_id,
          msgId: message_id,
          lastAttempt: { id: expect.stringMatching(/^atmpt_[0-9A-Za-z]{27}$/), responseStatusCode: 500, timestamp },
        },
      },
    },
  ]);
});

test('an endpoint is told of a message without a user, without a user', async () => {
  const { team, told } = scripted();
  service.endpoints.create(team, { url: 'http://down' });
  service.endpoints.create(team, { url: 'http://up', filterTypes: [TYPE] });
  service.outbox.add({ team_id: team }, 'a', {});
  await service.jobs.advanceTo(START + 4 * DAY);
  expect(told()).toEqual([{ url: 'http://up', event: { event_type: TYPE, team_id: team, data: expect.anything() } }]);
});

test('an endpoint that asks for the type is told of its own failures, and not of failures to tell', async () => {
  const { team, user, told } = scripted();
  service.endpoints.create(team, { url: 'http://down', filterTypes: ['a', TYPE] });
  service.outbox.add(user, 'a', {});
  await service.jobs.advanceTo(START + 6 * DAY);
  expect(told()).toHaveLength(8);
  expect(service.outbox.after(team, 0, 10)).toHaveLength(2);
});

test('pipelines do not carry the event', async () => {
  const { team, user, toHubs } = scripted();
  const connection_string = 'Endpoint=sb://hubs.example.com/;SharedAccessKeyName=n;SharedAccessKey=a2V5';
  service.pipelines.set(team, pipelineSchema.parse({ azure_amqp: { connection_string, default_event_hub: 'rest' } }));
  service.endpoints.create(team, { url: 'http://down', filterTypes: ['a', TYPE] });
  service.outbox.add(user, 'a', {});
  await service.jobs.advanceTo(START + 4 * DAY);
  expect(service.outbox.after(team, 0, 10).map(({ event_type }) => event_type)).toEqual(['a', TYPE]);
  expect(toHubs).toEqual(['a']);
});
