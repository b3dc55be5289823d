import { createApi } from '../api/server.ts';
import { controlOperations } from '../control/control-operations.ts';
import { createControl } from '../control/control-server.ts';
import type { HubBatch } from '../etl/hubs.ts';
import { Service, type ServiceOptions } from '../service.ts';
import type { User } from '../users/users.ts';

export const START = Date.UTC(2026, 0, 1);

/** An attempt of an endpoint or a hub to get one event. */
interface Attempt {
  readonly destination: 'svix' | 'azure_amqp';
  readonly team: string;
  readonly type: string;
  readonly isSuccess: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any member.
  readonly body: any;
}

/**
 * A service whose senders note their attempts. `failing` decides which ones fail. `manage` calls the management API with the key of
 * the default organization, `steer` the control port.
 */
export function managedService(options: ServiceOptions = {}) {
  const attempts: Attempt[] = [];
  const senders: { failing: (attempt: Pick<Attempt, 'destination' | 'type'>) => boolean; error: (batch: HubBatch) => string } = {
    failing: () => false,
    error: () => 'away',
  };
  const note = (attempt: Omit<Attempt, 'isSuccess'>): boolean => {
    const isSuccess = !senders.failing(attempt);
    attempts.push({ ...attempt, isSuccess });
    return isSuccess;
  };
  const service = new Service({
    start: START,
    runs: false,
    seed: 1,
    ...options,
    send: async ({ team_id: team }, { body, at }) =>
      note({ destination: 'svix', team, type: JSON.parse(body).event_type, at }) ? 204 : 500,
    sendToHub: async (batch) => {
      const { events, at } = batch;
      const destination = 'azure_amqp';
      const first = events[0]!.properties['event-type']!;
      const isSuccess = !senders.failing({ destination, type: first });
      for (const { properties } of events)
        attempts.push({ destination, team: properties['team-id']!, type: properties['event-type']!, isSuccess, at });
      if (!isSuccess) throw new Error(senders.error(batch));
      return [];
    },
  });
  const { org_id } = service.organizations.default();
  const { key } = service.managementKeys.create({ org_id, label: '', creator: 'vital_staff', team_ids: null });
  const api = createApi(service.operations, service.authentication);
  const control = createControl(controlOperations(service));
  const newTeam = (): { readonly team: string; readonly user: User } => {
    const team = service.teams.create('team').team_id;
    return { team, user: service.users.create(team, 'c-1', {}) as User };
  };
  return {
    service,
    org: org_id,
    attempts,
    senders,
    newTeam,
    async manage(method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object): Promise<Answer> {
      const body = payload === undefined ? {} : { payload };
      const answer = await api.inject({ method, url: `/v1/org/${org_id}${path}`, headers: { 'x-management-key': key }, ...body });
      return { status: answer.statusCode, body: answer.json() };
    },
    async steer(method: 'GET' | 'POST', url: string, payload?: object): Promise<Answer> {
      const answer = await control.inject({ method, url, payload });
      return { status: answer.statusCode, body: answer.json() };
    },
    async tell(user: User, type: string): Promise<void> {
      service.outbox.add(user, type, {});
      await service.jobs.settle();
    },
    async close(): Promise<void> {
      await api.close();
      await control.close();
      await service.close();
    },
  };
}

export type ManagedService = ReturnType<typeof managedService>;

export const PIPELINES = '/team_etl_pipelines/sandbox/us';
export const connectionWith = (key: string): string =>
  `Endpoint=sb://hubs.example.com/;SharedAccessKeyName=n;SharedAccessKey=${key}`;
