import { counted } from '@aorta/runtime/quantity';
import { type Command, Option } from 'commander';
import type { Surroundings } from '../../surroundings.ts';
import { verb, wholeNumber } from '../verb.ts';
import { controlVerb, facts, given, listing, repeated } from './control-verb.ts';
import { parseObjects, readInput } from './json-input.ts';
import { teamFacts } from './team.ts';

interface SeededTeam {
  readonly team_id: string;
  readonly name: string;
  readonly api_key: string;
  readonly users: readonly {
    readonly user_id: string;
    readonly client_user_id: string;
    readonly providers: readonly string[];
  }[];
}

interface SeedFlags {
  readonly users?: number;
  readonly provider?: readonly string[];
  readonly demo?: true;
}

export function seedCommand(surroundings: Surroundings): Command {
  const command = verb(
    'seed <number>',
    'create a team with users and connections',
    'Creates a team with users, each with one or two connections, and prints the key and the users. The same number and options give the same ids and keys in every service.',
    ['aorta service seed 1', 'aorta service seed 2 --users 100 --demo', 'aorta service seed 3 --provider oura --provider fitbit'],
  )
    .option('--users <n>', 'number of users (default: 10)', wholeNumber('--users', 1, 10_000))
    .option('--provider <slug>', 'provider to choose from; may be repeated (default: all)', repeated)
    .option('--demo', 'demo connections: generated data, and only providers that have it');
  return controlVerb(surroundings, command, {
    ask: (port, { users, provider, demo }: SeedFlags, number: string) =>
      port.post<SeededTeam>('/seed', given({ seed: wholeNumber('seed', 0)(number), users, providers: provider, demo })),
    say: ({ users, ...team }, out) =>
      `${teamFacts(team)}\n${listing(
        out,
        ['client user id', 'user', 'providers'],
        users.map(({ client_user_id, user_id, providers }) => [client_user_id, user_id, providers.join(', ')]),
        'No users.',
      )}`,
  });
}

interface Connection {
  readonly slug: string;
  readonly status: string;
  readonly error_details: { readonly error_type: string } | null;
}

interface ConnectFlags {
  readonly externalUserId?: string;
  readonly unavailable?: readonly string[];
  /** False after `--no-generated`. */
  readonly generated: boolean;
}

const sayConnection = ({ slug, status, error_details }: Connection): string =>
  facts([
    ['provider', slug],
    ['status', status],
    ['error', error_details?.error_type],
  ]);

export function connectCommand(surroundings: Surroundings): Command {
  const command = verb(
    'connect <user> <provider>',
    'connect a user to a provider',
    'Connects the user with this id to a provider, as if the user had completed the link. If the connection is broken, the command repairs it. The connection gets generated data and historical pulls. Connections with demo data are created through the API.',
    [
      'aorta service connect 5b1e6c0f-0d4c-4d8e-9f57-2f3a0c6b7a11 oura',
      'aorta service connect 5b1e6c0f-0d4c-4d8e-9f57-2f3a0c6b7a11 fitbit --no-generated --unavailable sleep',
    ],
  )
    .option('--external-user-id <id>', "the provider's id of the user")
    .option('--unavailable <resource>', 'resource that the user does not share; may be repeated', repeated)
    .option('--no-generated', 'no generated data: only what `aorta service data` pushes');
  return controlVerb(surroundings, command, {
    ask: (port, { externalUserId, unavailable, generated }: ConnectFlags, user: string, provider: string) =>
      port.post<Connection>(
        '/connections',
        given({ user_id: user, provider, external_user_id: externalUserId, unavailable, is_generated: generated }),
      ),
    say: sayConnection,
  });
}

interface BreakFlags {
  readonly errorType?: string;
  readonly message?: string;
}

/** Types of errors that the service gives broken connections. */
const errorTypes = [
  'token_refresh_failed',
  'webhook_registration_failed',
  'user_not_found',
  'deregistered_per_provider',
  'required_scopes_not_granted',
  'provider_credential_error',
  'provider_password_expired',
  'unknown',
];

export function breakCommand(surroundings: Surroundings): Command {
  const command = verb(
    'break <user> <provider>',
    "break a user's connection",
    "Breaks the connection of the user with this id to a provider. The service sends an event, and the connection's historical pulls fail. `aorta service connect` repairs it.",
    [
      'aorta service break 5b1e6c0f-0d4c-4d8e-9f57-2f3a0c6b7a11 oura',
      'aorta service break 5b1e6c0f-0d4c-4d8e-9f57-2f3a0c6b7a11 oura --error-type provider_password_expired',
    ],
  )
    .addOption(new Option('--error-type <type>', 'reason (default: token_refresh_failed)').choices(errorTypes))
    .option('--message <text>', 'message of the error');
  return controlVerb(surroundings, command, {
    ask: (port, { errorType, message }: BreakFlags, user: string, provider: string) =>
      port.post<Connection>(
        '/connections/break',
        given({ user_id: user, provider, error_type: errorType, error_message: message }),
      ),
    say: sayConnection,
  });
}

export function dataCommand(surroundings: Surroundings): Command {
  const command = verb(
    'data <file>',
    'push data, as if a provider had sent it',
    'Pushes data from a file, or from standard input if the file is -. The file has one JSON object, an array of objects, or one object per line. Each object has the members user_id, provider, resource and data, and may have stream and is_historical. The user needs a working connection to the provider. If the service refuses an object, the command stops there, and the objects before it stay.',
    ['aorta service data night.json', 'cat nights.ndjson | aorta service data -'],
  );
  return controlVerb(surroundings, command, {
    ask: async (port, _: object, file: string) => {
      const objects = parseObjects(await readInput(file, surroundings), file === '-' ? 'standard input' : file);
      const dates: string[][] = [];
      for (const [index, object] of objects.entries()) {
        const entry = objects.length === 1 ? undefined : `object ${index + 1} of ${objects.length}`;
        dates.push((await port.post<{ readonly dates: string[] }>('/data', object, entry)).dates);
      }
      return { pushed: objects.length, dates: [...new Set(dates.flat())].toSorted() };
    },
    say: ({ pushed, dates }) =>
      `Pushed ${counted(pushed, 'object')}${dates.length === 0 ? '; no date is within the bounds of the users' : ` with data for ${spanOf(dates)}`}.\n`,
  });
}

function spanOf(dates: readonly string[]): string {
  return dates.length === 1 ? dates[0]! : `${counted(dates.length, 'day')} from ${dates[0]} to ${dates.at(-1)}`;
}
