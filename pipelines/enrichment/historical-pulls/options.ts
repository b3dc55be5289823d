import { z } from 'zod';
import type { Pace } from './agenda.ts';

const noticesOptions = z
  .strictObject({
    webhook: z
      .url({ protocol: /^https?$/, error: 'not an address such as https://example.com/hook' })
      .describe('Address that a JSON object is posted to for each notice, at least once.'),
    retrying_after_h: z
      .number()
      .positive()
      .max(8760)
      .default(24)
      .describe('Also of a pull that meets temporary problems for longer than this; of a failure always.'),
    user_ids: z
      .boolean()
      .default(false)
      .describe('Notices name the user by the id of the service. Without it they say provider, resource, kind and times only.'),
    secret: z
      .string()
      .regex(/^(whsec_)?(?:[A-Za-z0-9+/]{4}){6,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, {
        error: 'not a secret of Standard Webhooks: 24 to 64 bytes in Base64, with whsec_ before them or not',
      })
      .optional()
      .describe(
        'Signs notices as Standard Webhooks says, by which the receiver knows whose they are: bytes in Base64, as `whsec_…`. A secret: take it from the environment.',
      ),
    authentication: z
      .strictObject({
        header: z
          .string()
          .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, { error: 'not the name of a header' })
          .default('authorization')
          .describe('Name of the header.'),
        value: z
          .string()
          .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, { error: 'not the value of a header' })
          .describe('Its value, such as `Bearer …`. A secret: take it from the environment.'),
      })
      .optional()
      .describe('A header by which the receiver knows who posts.'),
  })
  .describe('Notices of pulls that have failed, or are retrying for long.');

/** Configuration `historical_pulls`. */
export const historicalPullsOptions = z
  .strictObject({
    calls_a_minute: z
      .number()
      .positive()
      .max(60_000)
      .default(60)
      .describe(
        'Calls of the introspection at most; each attempt counts. Who asks for a page of all users, or for one user, makes one call.',
      ),
    fastest_s: z
      .number()
      .positive()
      .max(86_400)
      .default(10)
      .describe('A user whose pulls move is asked for so often at first, and ever more seldom the longer nothing new is heard.'),
    settled_h: z
      .number()
      .positive()
      .max(8760)
      .default(6)
      .describe('All users are asked for so often, whether anything moves or not.'),
    stalled_after_h: z
      .number()
      .positive()
      .max(8760)
      .default(24)
      .describe('An open pull of which nothing new was heard for so long is called stalled.'),
    stale_after_h: z
      .number()
      .positive()
      .max(8760)
      .default(12)
      .describe('The board calls what it says of a user stale when the service has not answered for so long.'),
    page_users: z.int().min(1).max(500).default(50).describe('Users of one page of the list of all.'),
    notices: noticesOptions.optional(),
  })
  .describe(
    'Follows historical pulls: folds what the events and the introspection of the service say of them. The service is asked where `service` is configured.',
  );

export type HistoricalPullsSettings = z.output<typeof historicalPullsOptions>;
export type NoticesSettings = z.output<typeof noticesOptions>;

export function paceOf({ calls_a_minute, fastest_s, settled_h, stalled_after_h, page_users }: HistoricalPullsSettings): Pace {
  return {
    betweenCallsMs: 60_000 / calls_a_minute,
    fastestMs: fastest_s * 1000,
    settledMs: settled_h * 3_600_000,
    stalledMs: stalled_after_h * 3_600_000,
    pageUsers: page_users,
  };
}
