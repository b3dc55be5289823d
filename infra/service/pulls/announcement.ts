import { instant } from '../api/times.ts';
import type { Outbox } from '../events/outbox.ts';
import type { User } from '../users/user.ts';
import type { Pull } from './pull.ts';

/** Adds the event about the end of a pull. */
export function announce(outbox: Outbox, user: User, { provider, resource, range_start, range_end }: Pull): void {
  outbox.add(user, `historical.data.${resource}.created`, {
    user_id: user.user_id,
    start_date: instant(range_start),
    end_date: instant(range_end),
    is_final: true,
    provider,
  });
}
