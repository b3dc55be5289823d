import { type Answered, type Row, rowOf } from './row.ts';
import type { Subject } from './wearables.ts';

/** The rows about users, their connections and devices, and what the service has sent. */

const polled = (type: string, { user_id }: Pick<Subject, 'user_id'>, data: Answered): Answered => ({
  event_type: `service.${type}.polled`,
  user_id,
  data,
});

export function userRow({ user_id, ...user }: Answered): Row {
  return rowOf('users', {
    ...polled('user', { user_id }, user),
    team_id: user.team_id,
    client_user_id: user.client_user_id,
  });
}

/** The row of `user_states`. No user of the tests is ever deleted. */
export function userStateRow({ user_id }: Subject): Row {
  return rowOf('user_states', { event_type: 'service.user_state.present', user_id, data: { state: 'present', returned: false } });
}

export function connectionRow(subject: Subject, connection: Answered): Row {
  return rowOf('user_connections', polled('connection', subject, connection));
}

/** The events of a connection: that it is new, with the state of its resources, and that it broke. */
export function connectionEventRows(subject: Subject, connection: Answered): Row[] {
  const { name, slug, logo, resource_availability, error_details: broken } = connection;
  const [provider, user_id] = [{ name, slug, logo }, subject.user_id];
  const data = { user_id, source: provider, provider, resource_availability };
  const made = rowOf('connection_events', { event_type: 'provider.connection.created', ...subject, data });
  if (broken === null) return [made];
  const { error_type, error_message: message } = broken;
  const failure = { user_id, error_type, message, error_details: message };
  const row = rowOf('connection_events', { event_type: 'provider.connection.error', ...subject, data: failure });
  return [made, { ...row, provider: slug }];
}

/** The row of `connections`. */
export function connectionStateRow({ user_id }: Subject, { slug, status, error_details, resource_availability }: Answered): Row {
  const [error_type, errors] = [error_details?.error_type ?? null, error_details === null ? 0 : 1];
  return { user_id, provider: slug, status, resource_availability, error_type, errors };
}

export function deviceRow(subject: Subject, data: Answered): Row {
  return rowOf('devices', { event_type: 'provider.device.created', ...subject, data });
}

/** The rows of `sent_resources` of a user. `providers` has the counts of the service. */
export function sentRows(subject: Subject, providers: Answered): Row[] {
  return Object.entries<Answered>(providers).flatMap(([provider, resources]) =>
    Object.entries<Answered>(resources).map(([resource, statistics]) =>
      rowOf('sent_resources', polled('resource', subject, { ...statistics, provider, resource })),
    ),
  );
}
