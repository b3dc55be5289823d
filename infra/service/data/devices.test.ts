import { afterEach, expect, test } from 'vitest';
import { keepEvents } from '../events/kept-events.fixture.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';

const DEVICE = '7a1e2b3c-0000-4000-8000-000000000002';
const sample = { timestamp: '2026-01-10T09:00:00+00:00', timezone_offset: 0, type: null, unit: 'bpm', value: 60 };

let service: Service;
afterEach(() => service.close());

test('two users can have a device with the same id, and each has an event', () => {
  service = new Service({ start: Date.UTC(2026, 0, 10, 12), runs: false });
  const { team_id } = service.teams.create('first');
  keepEvents(service, team_id);
  const users = ['c-1', 'c-2'].map((id) => service.users.create(team_id, id, {}) as User);
  const data = { source: { type: 'watch', device_id: DEVICE }, data: [sample] };
  for (const user of users) service.ingestion.take(user, 'oura', [{ resource: 'heartrate', data }]);
  const told = service.outbox.after(team_id, 0, 10).filter(({ event_type }) => event_type === 'provider.device.created');
  expect(told.map(({ user_id }) => user_id)).toEqual(users.map(({ user_id }) => user_id));
  for (const { user_id } of users) expect(service.ingestion.devices.of(user_id)).toMatchObject([{ id: DEVICE, user_id }]);
});
