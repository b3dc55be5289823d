import { z } from 'zod';
import type { Service } from '../service.ts';
import { type ControlOperation, controlOperation } from './control-server.ts';

const SECONDS = 60;

/** The operations on the rate limit, which holds for each key of the API. */
export function limitControl({ limits }: Service): ControlOperation[] {
  const shown = () => limits.limit ?? { requests: null, seconds: SECONDS };
  return [
    {
      method: 'GET',
      path: '/limits',
      summary: 'Shows how many requests each key may send. `null` means that there is no limit.',
      body: undefined,
      handle: shown,
    },
    controlOperation({
      method: 'POST',
      path: '/limits',
      summary: 'Sets how many requests each key may send. Further requests get status 429.',
      body: z.strictObject({
        requests: z.int().min(1).nullable().describe('Most requests of a key in a window. `null` removes the limit.'),
        seconds: z.int().min(1).max(86_400).default(SECONDS).describe('Length of a window, in real seconds.'),
      }),
      handle: ({ requests, seconds }) => {
        limits.set(requests === null ? undefined : { requests, seconds });
        return shown();
      },
    }),
  ];
}
