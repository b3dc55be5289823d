import { z } from 'zod';
import type { Service } from '../service.ts';
import { type ControlOperation, controlOperation } from './control-server.ts';

const SECONDS = 60;

/** The operations on the rate limit, which holds for each key of the API. */
export function limitControl({ limits }: Service): ControlOperation[] {
  const shown = () => limits.limit ?? { requests: null, seconds: SECONDS };
  return [
    { method: 'GET', path: '/limits', body: undefined, handle: shown },
    controlOperation({
      method: 'POST',
      path: '/limits',
      body: z.object({
        /** Most requests of a key in a window. Null removes the limit. */
        requests: z.int().min(1).nullable(),
        /** Length of a window, in real seconds. */
        seconds: z.int().min(1).max(86_400).default(SECONDS),
      }),
      handle: ({ requests, seconds }) => {
        limits.set(requests === null ? undefined : { requests, seconds });
        return shown();
      },
    }),
  ];
}
