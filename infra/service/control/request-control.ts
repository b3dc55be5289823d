import { z } from 'zod';
import { instant } from '../api/times.ts';
import type { Service } from '../service.ts';
import { type ControlOperation, controlOperation } from './control-server.ts';

/** `GET /requests`: lists the requests that the API has received. */
export function requestControl({ requests }: Service): ControlOperation {
  return controlOperation({
    method: 'GET',
    path: '/requests',
    body: z.object({
      /** Number of a request; its successors are listed. */
      after: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(10_000).default(100),
    }),
    handle: ({ after, limit }) => ({
      requests: requests.after(after, limit).map((request) => ({ ...request, at: instant(request.at) })),
    }),
  });
}
