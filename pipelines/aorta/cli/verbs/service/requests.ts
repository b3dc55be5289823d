import type { Command } from 'commander';
import type { Surroundings } from '../../surroundings.ts';
import { verb, wholeNumber } from '../verb.ts';
import { controlVerb, listing } from './control-verb.ts';

interface LoggedRequest {
  readonly number: number;
  readonly at: string;
  readonly method: string;
  readonly target: string;
  readonly team_id: string | null;
  readonly key_header: string | null;
  readonly status: number | null;
}

interface RequestsFlags {
  readonly limit: number;
  readonly after: number;
}

const MOST = 10_000;

export function requestsCommand(surroundings: Surroundings): Command {
  const command = verb(
    'requests',
    'list the requests to the API',
    'Lists the requests that the API has received, the oldest first, with their status and the header that had the key. A request without a status has no answer, or none yet. The service keeps the last 10,000 requests, until it stops.',
    ['aorta service requests', 'aorta service requests --after 100 --limit 1000 --json'],
  )
    .option('--limit <n>', 'list at most this many', wholeNumber('--limit', 1, MOST), 100)
    .option('--after <n>', 'list only requests after this number', wholeNumber('--after', 0, 2 ** 31), 0);
  return controlVerb(surroundings, command, {
    ask: (port, { limit, after }: RequestsFlags) =>
      port.get<{ readonly requests: readonly LoggedRequest[] }>(`/requests?after=${after}&limit=${limit}`),
    say: ({ requests }, out) =>
      listing(
        out,
        ['number', 'time', 'status', 'request', 'header of the key', 'team'],
        requests.map(({ number, at, status, method, target, key_header, team_id }) => [
          number,
          at,
          status,
          `${method} ${target}`,
          key_header,
          team_id,
        ]),
        'There are no requests.',
      ),
  });
}
