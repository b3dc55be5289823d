import { counted } from '@aorta/runtime/quantity';
import { Command } from 'commander';
import { ProgramError } from '../../../errors.ts';
import { secretFrom } from '../../secret-word.ts';
import type { Surroundings } from '../../surroundings.ts';
import { verb, wholeNumber } from '../verb.ts';
import { controlVerb, facts, given, listing, repeated, segment } from './control-verb.ts';
import { teamId, withTeam } from './team.ts';

interface Endpoint {
  readonly endpoint_id: string;
  readonly team_id: string;
  readonly url: string;
  readonly description: string;
  readonly filter_types: readonly string[];
  readonly disabled: boolean;
  readonly failing_since: string | null;
  /** Why the last attempt was not made. */
  readonly problem?: string;
  readonly secret: string;
}

interface Delivery {
  readonly message_id: string;
  readonly event_type: string;
  readonly state: string;
  readonly attempts: number;
  /** 0 means that there was no answer. */
  readonly last_status: number | null;
  readonly last_attempt_at: string | null;
}

interface DeliveriesFlags {
  readonly limit: number;
  readonly after?: string;
}

function deliveriesCommand(surroundings: Surroundings): Command {
  const command = verb(
    'deliveries <endpoint>',
    "list an endpoint's deliveries",
    'Lists the messages to an endpoint, the oldest first, with their state, their number of attempts and the last answer.',
    ['aorta service webhook deliveries ep_0123', 'aorta service webhook deliveries ep_0123 --limit 1000 --json'],
  )
    .option('--limit <n>', 'list at most this many', wholeNumber('--limit', 1, 1000), 100)
    .option('--after <message>', 'list only messages after this one');
  return controlVerb(surroundings, command, {
    ask: (port, { limit, after }: DeliveriesFlags, id: string) => {
      const query = new URLSearchParams({ limit: String(limit), ...(after === undefined ? {} : { after }) });
      return port.get<{ readonly deliveries: readonly Delivery[] }>(`/webhooks/${segment(id)}/deliveries?${query}`);
    },
    say: ({ deliveries }, out) =>
      listing(
        out,
        ['message', 'event type', 'state', 'attempts', 'last answer', 'last attempt'],
        deliveries.map(({ message_id, event_type, state, attempts, last_status, last_attempt_at }) => [
          message_id,
          event_type,
          state,
          attempts,
          last_status === 0 ? 'none' : last_status,
          last_attempt_at,
        ]),
        'There are no deliveries.',
      ),
  });
}

function resendCommand(surroundings: Surroundings): Command {
  const command = verb(
    'resend <endpoint> <message>',
    'send a message again',
    'Sends a message again, with the same id and a new signature.',
    ['aorta service webhook resend ep_0123 msg_2b4'],
  );
  return controlVerb(surroundings, command, {
    ask: (port, _: object, id: string, message: string) => port.post(`/webhooks/${segment(id)}/resend`, { message_id: message }),
    say: () => 'The message is sent again.\n',
  });
}

function recoverCommand(surroundings: Surroundings): Command {
  const command = verb(
    'recover <endpoint>',
    'send failed messages again',
    'Sends all messages again that have failed since a time of the virtual clock, including those from when the endpoint was disabled. The service keeps messages for 7 days.',
    ['aorta service webhook recover ep_0123 --since 2026-01-31T00:00:00Z'],
  ).requiredOption('--since <time>', 'send only messages that were created since this virtual time (RFC 3339)');
  return controlVerb(surroundings, command, {
    ask: (port, { since }: { readonly since: string }, id: string) =>
      port.post<{ readonly recovered: number; readonly reaches_back_to: string }>(`/webhooks/${segment(id)}/recover`, { since }),
    say: ({ recovered, reaches_back_to }) =>
      `${counted(recovered, 'message')} ${recovered === 1 ? 'is' : 'are'} sent again. The service has messages since ${reaches_back_to}.\n`,
  });
}

export function webhookCommand(surroundings: Surroundings): Command {
  return new Command('webhook')
    .summary('add webhook endpoints, and look after their deliveries')
    .description('The service posts the events of a team to its webhook endpoints, signed, and retries for about 28 hours.')
    .addCommand(addCommand(surroundings))
    .addCommand(listCommand(surroundings))
    .addCommand(updateCommand(surroundings))
    .addCommand(enableCommand(surroundings, true))
    .addCommand(enableCommand(surroundings, false))
    .addCommand(removeCommand(surroundings))
    .addCommand(rotateCommand(surroundings))
    .addCommand(deliveriesCommand(surroundings))
    .addCommand(resendCommand(surroundings))
    .addCommand(recoverCommand(surroundings));
}

const say = ({ endpoint_id, team_id, url, filter_types, disabled, secret }: Endpoint): string =>
  facts([
    ['endpoint', endpoint_id],
    ['team', team_id],
    ['url', url],
    ['event types', filter_types.length === 0 ? 'all' : filter_types.join(', ')],
    ['disabled', disabled],
    ['secret', secret],
  ]);

interface ChangeFlags {
  readonly description?: string;
  readonly type?: readonly string[];
  readonly header?: readonly string[];
}

interface AddFlags extends ChangeFlags {
  readonly team?: string;
  readonly secret?: string;
  readonly disabled?: true;
}

/** Adds the options that create and change an endpoint. */
function withSettings(command: Command): Command {
  return command
    .option('--type <type>', 'event type to send; may be repeated', repeated)
    .option('--header <name:value>', 'header of each request; may be repeated', repeated)
    .option('--description <text>', 'purpose of the endpoint');
}

function addCommand(surroundings: Surroundings): Command {
  const command = verb(
    'add <url>',
    'add an endpoint',
    'Adds an endpoint, to which the service posts the events of a team: those of all types, or of each --type. Prints the secret that signs the messages.',
    [
      'aorta service webhook add http://127.0.0.1:8080/webhook',
      'aorta service webhook add http://127.0.0.1:8080/webhook --team first --type daily.data.sleep.created --disabled',
    ],
  )
    .option('--secret <secret>', 'signing secret: whsec_ and Base64 (default: a random one)', secretFrom('--secret'))
    .option('--disabled', 'add the endpoint, but send nothing yet');
  return controlVerb(surroundings, withSettings(withTeam(command)), {
    ask: async (port, { team, type, header, description, secret, disabled }: AddFlags, url: string) =>
      port.post<Endpoint>(
        '/webhooks',
        given({
          team_id: await teamId(port, team),
          url,
          description,
          secret,
          disabled,
          filter_types: type,
          headers: header && headersOf(header),
        }),
      ),
    say,
  });
}

function listCommand(surroundings: Surroundings): Command {
  const command = verb(
    'list',
    'list the endpoints',
    'Lists the endpoints of all teams, or of one. --json also prints their secrets.',
    ['aorta service webhook list', 'aorta service webhook list --team first --json'],
  ).option('--team <team>', 'only endpoints of the team with this id or name');
  return controlVerb(surroundings, command, {
    ask: async (port, { team }: { readonly team?: string }) =>
      port.get<{ readonly webhooks: readonly Endpoint[] }>(
        team === undefined ? '/webhooks' : `/webhooks?team_id=${await teamId(port, team)}`,
      ),
    say: ({ webhooks }, out) => {
      const table = listing(
        out,
        ['endpoint', 'url', 'event types', 'disabled', 'failing since'],
        webhooks.map(({ endpoint_id, url, filter_types, disabled, failing_since }) => [
          endpoint_id,
          url,
          filter_types.length === 0 ? 'all' : filter_types.join(', '),
          disabled,
          failing_since,
        ]),
        'There are no endpoints. Add one with `aorta service webhook add URL`.',
      );
      const problems = webhooks.flatMap(({ endpoint_id, problem }) =>
        problem === undefined ? [] : `${endpoint_id}: ${problem}\n`,
      );
      return `${table}${problems.join('')}`;
    },
  });
}

interface UpdateFlags extends ChangeFlags {
  readonly url?: string;
  readonly allTypes?: true;
}

function updateCommand(surroundings: Surroundings): Command {
  const command = verb(
    'update <endpoint>',
    'change an endpoint',
    'Changes the settings that the options name. --type and --header replace all earlier values.',
    [
      'aorta service webhook update ep_0123 --url http://127.0.0.1:9090/webhook',
      'aorta service webhook update ep_0123 --all-types',
    ],
  )
    .option('--url <url>', 'new address')
    .option('--all-types', 'send events of all types');
  return controlVerb(surroundings, withSettings(command), {
    ask: async (port, { url, description, type, allTypes, header }: UpdateFlags, id: string) => {
      const path = `/webhooks/${segment(id)}`;
      const types = allTypes ? [] : type;
      let changed: Endpoint | undefined;
      if (url !== undefined || description !== undefined)
        changed = await port.post(`${path}/update`, given({ url, description }));
      if (types !== undefined) changed = await port.post(`${path}/filter`, { filter_types: types });
      if (header !== undefined) changed = await port.post(`${path}/headers`, { headers: headersOf(header) });
      if (changed !== undefined) return changed;
      throw new ProgramError('AORTA-USAGE', {
        problem: 'the command needs something to change',
        hint: 'Give --url, --description, --type, --all-types or --header.',
      });
    },
    say,
  });
}

function enableCommand(surroundings: Surroundings, enabled: boolean): Command {
  const name = enabled ? 'enable' : 'disable';
  const command = verb(
    `${name} <endpoint>`,
    `${name} an endpoint`,
    enabled
      ? 'Sends events to an endpoint again. `aorta service webhook recover` sends the messages that failed before.'
      : 'Sends no more events to an endpoint.',
    [`aorta service webhook ${name} ep_0123`],
  );
  return controlVerb(surroundings, command, {
    ask: (port, _: object, id: string) => port.post<Endpoint>(`/webhooks/${segment(id)}/enable`, { enabled }),
    say,
  });
}

function removeCommand(surroundings: Surroundings): Command {
  const command = verb('remove <endpoint>', 'remove an endpoint', 'Removes an endpoint.', [
    'aorta service webhook remove ep_0123',
  ]);
  return controlVerb(surroundings, command, {
    ask: (port, _: object, id: string) => port.post(`/webhooks/${segment(id)}/delete`),
    say: () => 'Removed the endpoint.\n',
  });
}

function rotateCommand(surroundings: Surroundings): Command {
  const command = verb(
    'rotate <endpoint>',
    "replace an endpoint's secret",
    'Gives an endpoint a new secret. For 24 hours, messages are signed with the old secret, too.',
    ['aorta service webhook rotate ep_0123'],
  ).option('--secret <secret>', 'new signing secret: whsec_ and Base64 (default: a random one)', secretFrom('--secret'));
  return controlVerb(surroundings, command, {
    ask: (port, { secret }: { readonly secret?: string }, id: string) =>
      port.post<{ readonly secret: string }>(`/webhooks/${segment(id)}/rotate_secret`, given({ secret })),
    say: ({ secret }) => facts([['secret', secret]]),
  });
}

/** Parses headers, each as `name:value`. */
function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? [];
      if (name !== undefined) return [name, value!];
      throw new ProgramError('AORTA-USAGE', {
        problem: '--header needs a name and a value',
        hint: "Write --header 'x-name: value'.",
      });
    }),
  );
}
