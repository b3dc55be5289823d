import { z } from 'zod';
import { STALLED_AFTER_MS } from './progress.ts';

/** `health`: where the working process answers for itself. */
export const healthOptions = z
  .strictObject({
    host: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .describe(
        'Address to listen on. Nobody is asked for a password there: another one than loopback belongs behind a network of your own.',
      ),
    port: z.int().min(0).max(65_535).describe('Port to listen on; 0 takes a free one, which is logged.'),
    stalled_after_s: z
      .number()
      .positive()
      .max(86_400)
      .default(STALLED_AFTER_MS / 1000)
      .describe('Where data waits and nothing moves for so many seconds, `/readyz` says so.'),
  })
  .describe('`aorta run` answers `/livez`, `/readyz` and `/metrics` here. Off where left out.');

export type HealthSettings = z.output<typeof healthOptions>;
