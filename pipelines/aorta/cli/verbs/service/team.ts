import { visible } from '@aorta/runtime';
import { Command, Option } from 'commander';
import { ProgramError } from '../../../errors.ts';
import type { Surroundings } from '../../surroundings.ts';
import { verb, wholeNumber } from '../verb.ts';
import type { ControlPort } from './control-port.ts';
import { controlVerb, facts, given, listing, segment } from './control-verb.ts';
import { managementKeyFacts, organizationId } from './organization.ts';

interface Team {
  readonly team_id: string;
  readonly name: string;
  readonly generation: string;
  readonly payload_limit: number;
  readonly as_of: string | null;
}

interface CreateFlags {
  readonly organization?: string;
  readonly region?: string;
  readonly asOf?: string;
  readonly generation?: string;
  readonly payloadLimit?: number;
  readonly partialResults?: boolean;
}

export function teamCommand(surroundings: Surroundings): Command {
  return new Command('team')
    .summary('create and list teams, and create keys')
    .description('A team has users, webhook endpoints and a pipeline. Its key gives access to the API.')
    .addCommand(createCommand(surroundings))
    .addCommand(keyCommand(surroundings))
    .addCommand(managementKeyCommand(surroundings))
    .addCommand(betaCommand(surroundings))
    .addCommand(listCommand(surroundings));
}

/** Returns the name, the id and the key of a new team, one per line. */
export const teamFacts = ({ team_id, name, api_key }: Pick<Team, 'team_id' | 'name'> & { readonly api_key: string }): string =>
  facts([
    ['team', name],
    ['id', team_id],
    ['key', api_key],
  ]);

function createCommand(surroundings: Surroundings): Command {
  const command = verb(
    'create <name>',
    'create a team and its key',
    'Creates a team, and prints its id and its key. The service stores only a hash of the key, so it is not shown again.',
    ['aorta service team create first', 'aorta service team create old --generation old --json'],
  )
    .option('--organization <organization>', 'id or name of its organization (default: the organization named default)')
    .addOption(new Option('--region <region>', 'region of the team (default: us)').choices(['us', 'eu']))
    .addOption(
      new Option('--generation <form>', 'form of the source object in events and answers (default: both)').choices([
        'old',
        'both',
        'current',
      ]),
    )
    .option(
      '--as-of <date>',
      'give the team the interface of this date, such as 2025-05-08 (default: the date of its organization)',
    )
    .option('--payload-limit <bytes>', 'largest body of an event (default: 262144)', wholeNumber('--payload-limit', 4096))
    .option('--partial-results', 'send events about partial results of lab orders');
  return controlVerb(surroundings, command, {
    ask: async (port, { organization, region, asOf, generation, payloadLimit, partialResults }: CreateFlags, name: string) => {
      const org_id = organization === undefined ? undefined : await organizationId(port, organization);
      const settings = { generation, payload_limit: payloadLimit, partial_webhooks_enabled: partialResults };
      return port.post<Team & { readonly api_key: string }>('/teams', given({ name, org_id, region, as_of: asOf, ...settings }));
    },
    say: teamFacts,
  });
}

function keyCommand(surroundings: Surroundings): Command {
  const command = verb(
    'key <team>',
    'create a further key of a team',
    'Creates a key of the team with this id or name, and prints it. Use it if a key was lost: the service cannot show a key again. The other keys stay valid.',
    ['aorta service team key first', 'aorta service team key 5b1e6c0f-0d4c-4d8e-9f57-2f3a0c6b7a11 --json'],
  );
  return controlVerb(surroundings, command, {
    ask: async (port, _: object, team: string) =>
      port.post<{ readonly team_id: string; readonly api_key: string }>(`/teams/${segment(await teamId(port, team))}/keys`),
    say: ({ team_id, api_key }) =>
      facts([
        ['id', team_id],
        ['key', api_key],
      ]),
  });
}

function managementKeyCommand(surroundings: Surroundings): Command {
  const command = verb(
    'management-key <team>',
    'create a management key of a team',
    'Creates a management key that controls only the team with this id or name, and prints it. The operation Create Management Key of the management API creates keys of two or more teams.',
    ['aorta service team management-key first'],
  );
  return controlVerb(surroundings, command, {
    ask: async (port, _: object, team: string) =>
      port.post<{ readonly org_id: string; readonly management_key: string }>(
        `/teams/${segment(await teamId(port, team))}/management_keys`,
      ),
    say: managementKeyFacts,
  });
}

function betaCommand(surroundings: Surroundings): Command {
  const command = verb(
    'beta <team> <operation>',
    'let a team call an operation in closed beta',
    'Lets the team with this id or name call an operation in closed beta, which refuses other teams with 403. The operation in closed beta is import_order.',
    ['aorta service team beta first import_order', 'aorta service team beta first import_order --disable'],
  ).option('--disable', 'refuse the team again');
  return controlVerb(surroundings, command, {
    ask: async (port, { disable = false }: { readonly disable?: boolean }, team: string, operation: string) =>
      port.post<{ readonly betas: readonly string[] }>(`/teams/${segment(await teamId(port, team))}/betas`, {
        operation,
        enabled: !disable,
      }),
    say: ({ betas }) =>
      betas.length === 0
        ? 'The team may call no operation in closed beta.\n'
        : `The team may call ${visible(betas.join(', '))}.\n`,
  });
}

function listCommand(surroundings: Surroundings): Command {
  const command = verb('list', 'list the teams', 'Lists the teams, the oldest first. The keys are not shown.', [
    'aorta service team list',
  ]);
  return controlVerb(surroundings, command, {
    ask: (port) => port.get<{ readonly teams: readonly Team[] }>('/teams'),
    say: ({ teams }, out) =>
      listing(
        out,
        ['name', 'team', 'source objects', 'payload limit', 'as of'],
        teams.map(({ name, team_id, generation, payload_limit, as_of }) => [
          name,
          team_id,
          generation,
          payload_limit,
          as_of ?? 'today',
        ]),
        'There are no teams. Create one with `aorta service team create NAME`.',
      ),
  });
}

/** Adds the option that selects a team. */
export function withTeam(command: Command): Command {
  return command.option('--team <team>', 'id or name of the team (default: the only team)');
}

/** Returns the id of the team with this id or name, or of the only team. */
export async function teamId(port: ControlPort, wanted: string | undefined): Promise<string> {
  const { teams } = await port.get<{ readonly teams: readonly Team[] }>('/teams');
  const id = wanted?.toLowerCase();
  const found = teams.filter(({ team_id, name }) => wanted === undefined || id === team_id || wanted === name);
  if (found.length === 1) return found[0]!.team_id;
  throw new ProgramError('AORTA-USAGE', ambiguous(wanted, { teams: teams.length, found: found.length }));
}

function ambiguous(wanted: string | undefined, count: { readonly teams: number; readonly found: number }) {
  if (count.teams === 0) return { problem: 'the service has no team', hint: 'Create one with `aorta service team create NAME`.' };
  if (wanted === undefined)
    return {
      problem: `the service has ${count.teams} teams`,
      hint: 'Choose one with --team. `aorta service team list` lists them.',
    };
  if (count.found === 0)
    return { problem: `the service has no team ${wanted}`, hint: '`aorta service team list` lists the teams.' };
  return { problem: `${count.found} teams have the name ${wanted}`, hint: 'Give the id, which `aorta service team list` shows.' };
}
