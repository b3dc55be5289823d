import { counted } from '@aorta/runtime/quantity';
import { Command } from 'commander';
import type { Surroundings } from '../../surroundings.ts';
import { verb, wholeNumber } from '../verb.ts';
import type { ControlPort } from './control-port.ts';
import { controlVerb, given } from './control-verb.ts';

interface Limit {
  /** Null if there is no limit. */
  readonly requests: number | null;
  readonly seconds: number;
}

const DAY_S = 86_400;

export function rateLimitCommand(surroundings: Surroundings): Command {
  const limit = (
    name: string,
    texts: readonly [summary: string, description: string],
    ask: (port: ControlPort) => Promise<Limit>,
  ) => controlVerb(surroundings, verb(name, ...texts, [`aorta service rate-limit ${name}`]), { ask, say });
  return new Command('rate-limit')
    .summary('limit how many requests each key may send to the API')
    .description(
      'The API answers requests over the limit with status 429 and Retry-After, in real seconds. `aorta service --rate-limit` sets a limit from the start.',
    )
    .addCommand(setCommand(surroundings))
    .addCommand(limit('show', ['show the limit', 'Shows how many requests each key may send.'], (port) => port.get('/limits')))
    .addCommand(
      limit('remove', ['remove the limit', 'Removes the limit, so that each key may send any number of requests.'], (port) =>
        port.post('/limits', { requests: null }),
      ),
    );
}

function setCommand(surroundings: Surroundings): Command {
  const command = verb(
    'set <requests>',
    'set the limit',
    'Sets how many requests each key may send to the API in a minute, or in the number of seconds that --seconds gives. The count of every key starts over. The limit is not part of the state: it ends with the service.',
    ['aorta service rate-limit set 600', 'aorta service rate-limit set 1 --seconds 10'],
  ).option(
    '--seconds <n>',
    'real seconds in which a key may send the requests (default: 60)',
    wholeNumber('--seconds', 1, DAY_S),
  );
  return controlVerb(surroundings, command, {
    ask: (port, { seconds }: { readonly seconds?: number }, requests: string) =>
      port.post<Limit>('/limits', given({ requests: wholeNumber('requests', 1)(requests), seconds })),
    say,
  });
}

function say({ requests, seconds }: Limit): string {
  if (requests === null) return 'There is no limit.\n';
  return `Each key may send ${counted(requests, 'request')} in ${counted(seconds, 'second')}.\n`;
}
