import { z } from 'zod';
import type { Pace } from './agenda.ts';

const noticesOptions = z
  .strictObject({
    webhook: z
      .url({ protocol: /^https?$/, error: 'not an address such as https://example.com/hook' })
      .describe('Address to which Aorta posts each notice as a JSON object, at least once.'),
    retrying_after_h: z
      .number()
      .positive()
      .max(8760)
      .default(24)
      .describe('Hours of temporary problems after which a pull causes a notice. A failed pull always causes one.'),
    user_ids: z
      .boolean()
      .default(false)
      .describe('Whether notices contain the user id of the service. Without it, they name no user.'),
    secret: z
      .string()
      .regex(/^(whsec_)?(?:[A-Za-z0-9+/]{4}){6,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, {
        error: 'not a secret of Standard Webhooks: 24 to 64 bytes in Base64, with or without the prefix whsec_',
      })
      .optional()
      .describe(
        'Key that signs notices by Standard Webhooks, so that the receiver can verify the sender: bytes in Base64, as `whsec_…`. A secret: take it from the environment.',
      ),
    authentication: z
      .strictObject({
        header: z
          .string()
          .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, { error: 'not a valid header name' })
          .default('authorization')
          .describe('Name of the header.'),
        value: z
          .string()
          .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, { error: 'not a valid header value' })
          .describe('Value of the header, such as `Bearer …`. A secret: take it from the environment.'),
      })
      .optional()
      .describe('Header that authenticates Aorta to the receiver.'),
  })
  .describe('Notices about pulls that failed or keep retrying.');

/** The section `historical_pulls` of the configuration. */
export const historicalPullsOptions = z
  .strictObject({
    calls_a_minute: z
      .number()
      .positive()
      .max(60_000)
      .default(60)
      .describe(
        'Most calls of introspection per minute. A call covers one user or a page of all users, and every attempt counts.',
      ),
    fastest_s: z
      .number()
      .positive()
      .max(86_400)
      .default(10)
      .describe('Seconds between calls for a user whose pulls make progress. The time grows while nothing changes.'),
    settled_h: z
      .number()
      .positive()
      .max(8760)
      .default(6)
      .describe('Hours after which the tracker asks for every user again, with or without progress.'),
    stalled_after_h: z
      .number()
      .positive()
      .max(8760)
      .default(24)
      .describe('Hours without news after which an open pull counts as stalled.'),
    stale_after_h: z
      .number()
      .positive()
      .max(8760)
      .default(12)
      .describe('Hours without an answer of the service after which the board marks a user as stale.'),
    page_users: z.int().min(1).max(500).default(50).describe('Users per page of the list of all users.'),
    notices: noticesOptions.optional(),
  })
  .describe('The tracker of historical pulls. It combines events with the answers of introspection, which requires `service`.');

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
