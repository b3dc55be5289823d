import { visible } from '@aorta/runtime';
import { Argument, Command, Option } from 'commander';
import { ProgramError } from '../../../errors.ts';
import type { Surroundings } from '../../surroundings.ts';
import { verb } from '../verb.ts';
import type { ControlPort } from './control-port.ts';
import { controlVerb, facts, given, listing, segment } from './control-verb.ts';

interface Organization {
  readonly org_id: string;
  readonly name: string;
  readonly plan: string;
}

interface OrganizationKey {
  readonly org_id: string;
  readonly management_key: string;
}

const plans = ['launch', 'grow', 'scale'];

export function organizationCommand(surroundings: Surroundings): Command {
  return new Command('organization')
    .summary('create and list organizations, set plans, and create management keys')
    .description(
      'An organization has teams and a plan. Its management key gives access to the management API, which needs the Scale plan. Teams that are created without an organization belong to the organization named default.',
    )
    .addCommand(createCommand(surroundings))
    .addCommand(listCommand(surroundings))
    .addCommand(planCommand(surroundings))
    .addCommand(keyCommand(surroundings));
}

function createCommand(surroundings: Surroundings): Command {
  const command = verb(
    'create <name>',
    'create an organization and its management key',
    'Creates an organization, and prints its id and its management key. The service stores only a hash of the key, so it is not shown again.',
    ['aorta service organization create clinic', 'aorta service organization create clinic --plan launch --json'],
  )
    .addOption(new Option('--plan <plan>', 'plan of the organization (default: scale)').choices(plans))
    .option(
      '--as-of <date>',
      'give the organization the interface of this date, such as 2025-05-08 (default: the date of the clock)',
    );
  return controlVerb(surroundings, command, {
    ask: (port, { plan, asOf }: { readonly plan?: string; readonly asOf?: string }, name: string) =>
      port.post<Organization & OrganizationKey>('/organizations', given({ name, plan, as_of: asOf })),
    say: ({ name, org_id, plan, management_key }) =>
      facts([
        ['organization', name],
        ['id', org_id],
        ['plan', plan],
        ['management key', management_key],
      ]),
  });
}

function listCommand(surroundings: Surroundings): Command {
  const command = verb(
    'list',
    'list the organizations',
    'Lists the organizations with their plans, the oldest first. The keys are not shown.',
    ['aorta service organization list'],
  );
  return controlVerb(surroundings, command, {
    ask: (port) => port.get<{ readonly organizations: readonly Organization[] }>('/organizations'),
    say: ({ organizations }, out) =>
      listing(
        out,
        ['name', 'organization', 'plan'],
        organizations.map(({ name, org_id, plan }) => [name, org_id, plan]),
        'There are no organizations. Create one with `aorta service organization create NAME`.',
      ),
  });
}

function planCommand(surroundings: Surroundings): Command {
  const command = verb(
    'plan <organization>',
    'set the plan of an organization',
    'Sets the plan of the organization with this id or name. Without the Scale plan, the management API refuses its keys, and the pipelines of its teams carry no further events.',
    ['aorta service organization plan clinic grow'],
  ).addArgument(new Argument('<plan>', 'the new plan').choices(plans));
  return controlVerb(surroundings, command, {
    ask: async (port, _: object, organization: string, plan: string) =>
      port.post<Organization>(`/organizations/${segment(await organizationId(port, organization))}/plan`, { plan }),
    say: ({ name, plan }) => `${visible(`The organization ${name} has the plan ${plan}.`)}\n`,
  });
}

function keyCommand(surroundings: Surroundings): Command {
  const command = verb(
    'key <organization>',
    'create a further management key of an organization',
    'Creates a management key of the organization with this id or name, and prints it. The other keys stay valid.',
    ['aorta service organization key default'],
  );
  return controlVerb(surroundings, command, {
    ask: async (port, _: object, organization: string) =>
      port.post<OrganizationKey>(`/organizations/${segment(await organizationId(port, organization))}/keys`),
    say: managementKeyFacts,
  });
}

/** Returns the organization's id and a new key, one per line. */
export const managementKeyFacts = ({ org_id, management_key }: OrganizationKey): string =>
  facts([
    ['organization', org_id],
    ['management key', management_key],
  ]);

/** Returns the id of the organization with this id or name. */
export async function organizationId(port: ControlPort, wanted: string): Promise<string> {
  const { organizations } = await port.get<{ readonly organizations: readonly Organization[] }>('/organizations');
  const id = wanted.toLowerCase();
  const found = organizations.filter(({ org_id, name }) => id === org_id || wanted === name);
  if (found.length === 1) return found[0]!.org_id;
  throw new ProgramError(
    'AORTA-USAGE',
    found.length === 0
      ? {
          problem: `the service has no organization ${wanted}`,
          hint: '`aorta service organization list` lists the organizations.',
        }
      : {
          problem: `${found.length} organizations have the name ${wanted}`,
          hint: 'Give the id, which `aorta service organization list` shows.',
        },
  );
}
