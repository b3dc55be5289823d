import { DAY_MS, dayOf, MINUTE_MS, type Period } from '../period.ts';
import { devicesOf } from './devices.ts';
import type { Cast, Step } from './step.ts';

/** Share of the period after which each person of a block of ten connects. So the people belong to several cohorts. */
const shares = [0, 0, 0.07, 0.14, 0.21, 0.36, 0.5, 0.57, 0.64, 0.8] as const;
/** Days before the connection for which the service imports data. */
const HISTORY_DAYS = 3;

/** Returns when a person connects the first device, in milliseconds since 1970. */
function signUpOf(person: number, { from, end }: Period): number {
  const days = Math.floor(shares[person % shares.length]! * ((end - from) / DAY_MS));
  return from + days * DAY_MS + (5 + (person % 97) * 7) * MINUTE_MS;
}

/** Returns the steps in which people connect their devices. */
export function signUps(people: number, period: Period): Step[] {
  return Array.from({ length: people }, (_, person) => {
    const at = signUpOf(person, period);
    return devicesOf(person).map(
      (provider, number): Step => ({
        at: at + number * MINUTE_MS,
        happen: (cast) => {
          if (number === 0) limitHistory(cast, person, dayOf(at - HISTORY_DAYS * DAY_MS));
          connect(cast, person, provider);
        },
      }),
    );
  }).flat();
}

function limitHistory({ service, team, users }: Cast, person: number, from: string): void {
  service.users.change(team, users[person]!.user_id, { ingestion_start: from });
}

/** Connects a provider. The user has not permitted the `unavailable` resources. */
export function connect({ service, users }: Cast, person: number, provider: string, unavailable: readonly string[] = []): void {
  const user = service.users.any(users[person]!.user_id);
  if (user !== undefined) service.connections.connect(user, { provider, isDemo: false, unavailable });
}
