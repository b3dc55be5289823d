import { Command, Option } from 'commander';
import { ProgramError } from '../../../errors.ts';
import type { Output } from '../../printing/terminal.ts';
import { secretFrom } from '../../secret-word.ts';
import type { Surroundings } from '../../surroundings.ts';
import { verb } from '../verb.ts';
import { controlVerb, facts, given, listing, repeated } from './control-verb.ts';
import { teamId, withTeam } from './team.ts';

interface Matcher {
  readonly event_hub: string;
  readonly event_type_prefix?: string | null;
  readonly event_type_regex?: string | null;
}

interface Hub {
  readonly event_hub: string;
  readonly waiting: number;
  readonly failures: number;
  readonly last_error: string | null;
  readonly last_error_at: string | null;
}

interface Namespace {
  readonly connection_string: string;
  readonly default_event_hub: string;
  readonly event_hub_matchers: readonly Matcher[];
}

interface Pipeline {
  readonly team_id: string;
  readonly push_historical_data: boolean;
  /** Missing if the management API set a pipeline without hubs. */
  readonly azure_amqp?: Namespace;
  /** Events that wait for the hubs. */
  readonly waiting: number;
  readonly undeliverable: number;
  /** Number of consecutive failed attempts of the hub that has the most. */
  readonly failures: number;
  /** The hubs that have had events. */
  readonly hubs: readonly Hub[];
}

/** Name of the environment variable for the connection string, as `aorta dev event-hubs` prints it. */
const CONNECTION = 'EVENT_HUBS_CONNECTION';

export function pipelineCommand(surroundings: Surroundings): Command {
  return new Command('pipeline')
    .summary('send the events of a team to Event Hubs')
    .description('A pipeline sends the events of a team to hubs of an Azure Event Hubs namespace, or of `aorta dev event-hubs`.')
    .addCommand(setCommand(surroundings))
    .addCommand(showCommand(surroundings))
    .addCommand(undeliverableCommand(surroundings))
    .addCommand(removeCommand(surroundings));
}

function say(pipeline: Pipeline, out: Output): string {
  const { team_id, push_historical_data, azure_amqp, waiting, undeliverable, failures, hubs } = pipeline;
  const lines = facts([
    ['team', team_id],
    ...(azure_amqp === undefined ? [] : routes(azure_amqp)),
    ['historical data', push_historical_data],
    ['events waiting', waiting],
    ['events too large', undeliverable],
    ['failed attempts', failures],
  ]);
  if (failures === 0) return lines;
  const rows = hubs.map((hub) => [hub.event_hub, hub.waiting, hub.failures, hub.last_error_at, hub.last_error]);
  return `${lines}\n${listing(out, ['hub', 'waiting', 'failed', 'last error at', 'last error'], rows, '')}`;
}

function routes({ connection_string, default_event_hub, event_hub_matchers }: Namespace): (readonly [string, string])[] {
  return [
    ['namespace', connection_string.replace(/^Endpoint=([^;]*).*$/is, '$1')],
    ...event_hub_matchers.map(
      ({ event_hub, event_type_prefix, event_type_regex }) =>
        [`hub ${event_hub}`, event_type_prefix ?? `/${event_type_regex}/`] as const,
    ),
    [`hub ${default_event_hub}`, event_hub_matchers.length === 0 ? 'all events' : 'all other events'],
  ];
}

interface SetFlags {
  readonly team?: string;
  readonly connection?: string;
  readonly hub: string;
  readonly prefix?: readonly string[];
  readonly regex?: readonly string[];
  readonly only?: readonly string[];
  readonly historical?: true;
  readonly compression?: string;
}

function setCommand(surroundings: Surroundings): Command {
  const command = verb(
    'set',
    'set the pipeline of a team',
    `Sends the events of a team to hubs. --prefix and --regex choose a different hub for some event types. Prefixes come before regular expressions, and the first one that matches decides. The connection string comes from --connection or from ${CONNECTION}.`,
    [
      'aorta service pipeline set --hub health-events',
      'aorta service pipeline set --hub rest --prefix daily.data.=daily --historical',
    ],
  )
    .requiredOption('--hub <hub>', 'hub for all events that match nothing else')
    .option('--connection <string>', `connection string of the namespace (default: ${CONNECTION})`, secretFrom('--connection'))
    .option('--prefix <prefix=hub>', 'hub for event types with this prefix; may be repeated', repeated)
    .option('--regex <regex=hub>', 'hub for event types that match (RE2); may be repeated', repeated)
    .option('--only <prefix>', 'send only event types with this prefix; may be repeated (default: all)', repeated)
    .option('--historical', 'also send data that historical pulls found')
    .addOption(new Option('--compression <when>', 'compress large bodies, or all (default: auto)').choices(['auto', 'always']));
  return controlVerb(surroundings, withTeam(command), {
    ask: async (port, flags: SetFlags) => {
      const { hub, prefix = [], regex = [], only, historical, compression } = flags;
      const connection_string = flags.connection ?? secretFrom(CONNECTION)(surroundings.environment[CONNECTION] ?? '');
      if (connection_string === '')
        throw new ProgramError('AORTA-USAGE', {
          problem: 'a pipeline needs a connection string',
          hint: `Give --connection, or set ${CONNECTION}. \`aorta dev event-hubs\` prints both for a local server.`,
        });
      const event_hub_matchers = [
        ...prefix.map((text) => matcherOf('--prefix', 'event_type_prefix', text)),
        ...regex.map((text) => matcherOf('--regex', 'event_type_regex', text)),
      ];
      return port.post<Pipeline>(
        `/pipelines/${await teamId(port, flags.team)}`,
        given({
          push_historical_data: historical,
          event_type_prefixes: only,
          azure_amqp: given({ connection_string, default_event_hub: hub, compression, event_hub_matchers }),
        }),
      );
    },
    say,
  });
}

/** Parses `pattern=hub`. A regular expression may contain equals signs. */
function matcherOf(option: string, member: string, text: string): object {
  const [, pattern, event_hub] = /^(.+)=([^=]+)$/s.exec(text) ?? [];
  if (pattern !== undefined) return { [member]: pattern, event_hub };
  throw new ProgramError('AORTA-USAGE', {
    problem: `${option} needs event types and a hub`,
    hint: `Write ${option} daily.data.=daily.`,
  });
}

interface TeamFlags {
  readonly team?: string;
}

function showCommand(surroundings: Surroundings): Command {
  const command = verb(
    'show',
    'show the pipeline of a team',
    'Shows the hubs of a pipeline without its key, and the events that are waiting or cannot be delivered. If a hub is failing, it shows the last error of each hub.',
    ['aorta service pipeline show', 'aorta service pipeline show --team first --json'],
  );
  return controlVerb(surroundings, withTeam(command), {
    ask: async (port, { team }: TeamFlags) => port.get<Pipeline>(`/pipelines/${await teamId(port, team)}`),
    say,
  });
}

interface Undeliverable {
  readonly event_type: string;
  readonly hub: string;
  readonly bytes: number;
  readonly reason: string;
  readonly noted_at: string;
}

function undeliverableCommand(surroundings: Surroundings): Command {
  const command = verb(
    'undeliverable',
    'list the events that a hub does not accept',
    'Lists the events that are larger than their hub accepts. The pipeline skips them.',
    ['aorta service pipeline undeliverable'],
  );
  return controlVerb(surroundings, withTeam(command), {
    ask: async (port, { team }: TeamFlags) =>
      port.get<{ readonly events: readonly Undeliverable[] }>(`/pipelines/${await teamId(port, team)}/undeliverable`),
    say: ({ events }, out) =>
      listing(
        out,
        ['event type', 'hub', 'bytes', 'reason', 'noted'],
        events.map(({ event_type, hub, bytes, reason, noted_at }) => [event_type, hub, bytes, reason, noted_at]),
        'There are no such events.',
      ),
  });
}

function removeCommand(surroundings: Surroundings): Command {
  const command = verb(
    'remove',
    'remove the pipeline of a team',
    'Removes the pipeline of a team. Waiting events are not sent.',
    ['aorta service pipeline remove'],
  );
  return controlVerb(surroundings, withTeam(command), {
    ask: async (port, { team }: TeamFlags) => port.post(`/pipelines/${await teamId(port, team)}/remove`),
    say: () => 'Removed the pipeline.\n',
  });
}
