import { isHttpAddress, secret } from '@aorta/runtime';
import { z } from 'zod';
import type { Pace } from './call-schedule.ts';

const noticesOptions = z
  .strictObject({
    webhook: secret(
      'URL to which Aorta posts each notice as a JSON object, at least once. If the URL contains a token, it is a secret: take it from the environment.',
    ).refine(isHttpAddress, { error: 'not an address such as https://example.com/hook' }),
    retrying_after_h: z
      .number()
      .positive()
      .max(8760)
      .default(24)
      .describe(
        'Hours of temporary problems after which Aorta sends a notice about a pull. It always sends one when a pull fails.',
      ),
    user_ids: z
      .boolean()
      .default(false)
      .describe('Whether notices contain the service’s id of the user. If false, they do not identify the user.'),
    secret: secret(
      'Key with which Aorta signs notices, so that the receiver can verify the sender (Standard Webhooks). Format: `whsec_` followed by Base64. A secret: take it from the environment.',
    )
      .regex(/^(whsec_)?(?:[A-Za-z0-9+/]{4}){6,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, {
        error: 'not a secret of Standard Webhooks: 24 to 64 bytes in Base64, with or without the prefix whsec_',
      })
      .optional(),
    authentication: z
      .strictObject({
        header: z
          .string()
          .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, { error: 'not a valid header name' })
          .default('authorization')
          .describe('Name of the header.'),
        value: secret('Value of the header, such as `Bearer …`. A secret: take it from the environment.').regex(
          /^[\x20-\x7e]+$/,
          { error: 'not a valid header value' },
        ),
      })
      .optional()
      .describe('Header that authenticates Aorta to the receiver.'),
  })
  .describe('Notices about pulls that failed or keep having temporary problems.');

/** The section `historical_pulls` of the configuration. */
export const historicalPullsOptions = z
  .strictObject({
    calls_a_minute: z
      .number()
      .positive()
      .max(60_000)
      .default(60)
      .describe(
        'Maximum introspection calls per minute, including retries. A call covers one user, or one page of the list of all users. The limit applies to each worker that owns the tracker, normally one.',
      ),
    fastest_s: z
      .number()
      .positive()
      .max(86_400)
      .default(10)
      .describe('Seconds between calls for a user whose pulls make progress. The interval grows while nothing changes.'),
    settled_h: z
      .number()
      .positive()
      .max(8760)
      .default(6)
      .describe('Hours after which the tracker asks about every user again, whether or not their pulls make progress.'),
    stalled_after_h: z
      .number()
      .positive()
      .max(8760)
      .default(24)
      .describe(
        'Hours without progress after which an open pull counts as stalled, even if the service retries it. More days with data are progress; a change between open states is not.',
      ),
    stale_after_h: z
      .number()
      .positive()
      .max(8760)
      .default(12)
      .describe('Hours without an answer from the service after which the board marks a user’s pulls as stale.'),
    page_users: z.int().min(1).max(500).default(50).describe('Users per page of the list of all users.'),
    notices: noticesOptions.optional(),
  })
  .describe('The tracker of historical pulls. It combines events with the answers of introspection, which requires `service`.');

export type HistoricalPullsSettings = z.output<typeof historicalPullsOptions>;
export type NoticesSettings = z.output<typeof noticesOptions>;

export const stalledAfterS = ({ stalled_after_h }: HistoricalPullsSettings): number => Math.round(stalled_after_h * 3600);

export function paceOf({ calls_a_minute, fastest_s, settled_h, stalled_after_h, page_users }: HistoricalPullsSettings): Pace {
  return {
    betweenCallsMs: 60_000 / calls_a_minute,
    fastestMs: fastest_s * 1000,
    settledMs: settled_h * 3_600_000,
    stalledMs: stalled_after_h * 3_600_000,
    pageUsers: page_users,
  };
}
