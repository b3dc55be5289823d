import type { Service } from '../service.ts';

/** Lets a team's events be kept, although nobody gets them: a disabled endpoint asks for all. Historical data is not kept. */
export function keepEvents(service: Service, team: string): void {
  const { endpoint_id } = service.endpoints.create(team, { url: 'http://127.0.0.1:1/' });
  service.endpoints.setDisabled(endpoint_id, true);
}
