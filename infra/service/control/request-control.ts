import { z } from 'zod';
import { instant } from '../api/times.ts';
import type { Service } from '../service.ts';
import { type ControlOperation, controlOperation } from './control-server.ts';

/** `GET /requests`: lists the requests that the API has received. */
export function requestControl({ requests }: Service): ControlOperation {
  return controlOperation({
    method: 'GET',
    path: '/requests',
    summary: 'Lists the last requests to the API, the oldest first. The service keeps 10,000 of them in memory.',
    body: z.strictObject({
      after: z.coerce.number().int().min(0).default(0).describe('Number of a request. The answer begins after it.'),
      limit: z.coerce.number().int().min(1).max(10_000).default(100).describe('Most requests in the answer.'),
    }),
    handle: ({ after, limit }) => ({
      requests: requests.after(after, limit).map((request) => ({ ...request, at: instant(request.at) })),
    }),
  });
}
