import { z } from 'zod';
import { STALLED_AFTER_MS } from './progress.ts';

export const healthOptions = z
  .strictObject({
    host: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .describe(
        'Address to listen on. The server has no authentication, so use an address other than loopback only in a private network.',
      ),
    port: z.int().min(0).max(65_535).describe('Port to listen on. 0 picks a free port, which is logged.'),
    stalled_after_s: z
      .number()
      .positive()
      .max(86_400)
      .default(STALLED_AFTER_MS / 1000)
      .describe('If data is waiting and nothing has made progress for this many seconds, `/readyz` reports a stall.'),
  })
  .describe(
    '`aorta run` serves `/livez`, `/readyz` and `/metrics` at this address. Without this section it serves none of them.',
  );

export type HealthSettings = z.output<typeof healthOptions>;
