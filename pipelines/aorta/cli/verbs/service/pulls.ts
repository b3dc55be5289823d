import { counted } from '@aorta/runtime/quantity';
import { Command } from 'commander';
import { nearestName } from '../../../config/nearest-name.ts';
import { ProgramError } from '../../../errors.ts';
import type { Surroundings } from '../../surroundings.ts';
import { verb } from '../verb.ts';
import { controlVerb, given, listing, repeated } from './control-verb.ts';
import { parseObject } from './json-input.ts';

interface Pull {
  readonly user_id: string;
  readonly provider: string;
  readonly resource: string;
  readonly status: string;
  readonly days_with_data: number;
  readonly error_details: string | null;
  readonly next_attempt_at: string | null;
  readonly attempts: readonly unknown[];
}

interface Script {
  readonly provider: string;
  readonly user_id: string | null;
  readonly resource: string | null;
  readonly outcomes: readonly { readonly kind: string; readonly attempts?: number }[];
}

/** Outcomes that need no other member. */
const kinds = ['success', 'rate_limit', 'transport_failure', 'resource_contention', 'revoked_scope', 'unexpected_error'];

export function pullsCommand(surroundings: Surroundings): Command {
  return new Command('pulls')
    .summary('show, script and trigger historical pulls')
    .description(
      'Historical pulls import what a provider has from before the connection. These commands show the state that the service has. `aorta pulls` shows the board that Aorta derives from events and from the API.',
    )
    .addCommand(listCommand(surroundings))
    .addCommand(scriptCommand(surroundings))
    .addCommand(triggerCommand(surroundings));
}

function listCommand(surroundings: Surroundings): Command {
  const command = verb(
    'list',
    'list the historical pulls',
    'Lists the historical pulls with their status and the number of their attempts. --json prints every attempt, and the days with data.',
    ['aorta service pulls list', 'aorta service pulls list --user 5b1e6c0f-0d4c-4d8e-9f57-2f3a0c6b7a11 --json'],
  ).option('--user <id>', 'only pulls of this user');
  return controlVerb(surroundings, command, {
    ask: (port, { user }: { readonly user?: string }) =>
      port.post<{ readonly pulls: readonly Pull[] }>('/pulls/list', given({ user_id: user })),
    say: ({ pulls }, out) =>
      listing(
        out,
        ['user', 'provider', 'resource', 'status', 'attempts', 'days', 'error', 'next attempt'],
        pulls.map(({ user_id, provider, resource, status, attempts, days_with_data, error_details, next_attempt_at }) => [
          user_id,
          provider,
          resource,
          status,
          attempts.length,
          days_with_data,
          error_details,
          next_attempt_at,
        ]),
        'There are no historical pulls. Connections create them; see `aorta service connect`.',
      ),
  });
}

interface ScriptFlags {
  readonly outcome?: readonly string[];
  readonly user?: string;
  readonly resource?: string;
  readonly remove?: true;
}

function scriptCommand(surroundings: Surroundings): Command {
  const command = verb(
    'script [provider]',
    'set how the next attempts of pulls end',
    `Sets the outcomes of the next attempts of a provider's pulls, in their order, and lists all scripts. Each resource of each user goes through the script on its own. The kinds of outcomes are ${kinds.join(', ')}. Write rate_limit:3 for three attempts, and a JSON object for an outage or a slow pull. Without a provider, the command only lists the scripts.`,
    [
      'aorta service pulls script oura --resource sleep --outcome rate_limit:2',
      `aorta service pulls script fitbit --outcome '{"kind":"slow","seconds_per_chunk":600}'`,
      `aorta service pulls script oura --outcome '{"kind":"outage","from":"2026-01-31T00:00:00Z","until":"2026-02-01T00:00:00Z"}'`,
      'aorta service pulls script oura --resource sleep --remove',
      'aorta service pulls script',
    ],
  )
    .option('--outcome <outcome>', 'outcome of the next attempt; may be repeated', repeated)
    .option('--user <id>', 'only pulls of this user')
    .option('--resource <name>', 'only pulls of this resource')
    .option('--remove', 'remove the script of this provider, user and resource');
  return controlVerb(surroundings, command, {
    ask: (port, flags: ScriptFlags, provider: string | undefined) => {
      checkScript(flags, provider);
      if (provider === undefined) return port.get<{ readonly scripts: readonly Script[] }>('/pulls/scripts');
      const { outcome = [], user, resource } = flags;
      return port.post<{ readonly scripts: readonly Script[] }>(
        '/pulls/script',
        given({ provider, user_id: user, resource, outcomes: outcome.map(outcomeOf) }),
      );
    },
    say: ({ scripts }, out) =>
      listing(
        out,
        ['provider', 'user', 'resource', 'outcomes'],
        scripts.map(({ provider, user_id, resource, outcomes }) => [
          provider,
          user_id ?? 'all',
          resource ?? 'all',
          outcomes.map(({ kind, attempts }) => (attempts === undefined ? kind : `${kind}:${attempts}`)).join(', '),
        ]),
        'There are no scripts, so every attempt succeeds.',
      ),
  });
}

function checkScript({ outcome = [], user, resource, remove }: ScriptFlags, provider: string | undefined): void {
  const wrong = (problem: string, hint: string) => new ProgramError('AORTA-USAGE', { problem, hint });
  const named = [outcome.length > 0, user !== undefined, resource !== undefined, remove].some(Boolean);
  if (provider === undefined && named)
    throw wrong('the options need a provider', 'Write it first: `aorta service pulls script oura`.');
  if (provider !== undefined && outcome.length > 0 === (remove === true))
    throw wrong('a script needs either --outcome or --remove', `Kinds of outcomes are ${kinds.join(', ')}.`);
}

/** Parses `kind`, `kind:attempts` or a JSON object. */
function outcomeOf(text: string): object {
  if (text.startsWith('{')) return parseObject(text, '--outcome');
  const [, kind = text, attempts] = /^([^:]*)(?::(\d+))?$/.exec(text) ?? [];
  if (kinds.includes(kind)) return { kind, attempts: attempts === undefined ? 1 : Number(attempts) };
  const meant = nearestName(kind, kinds);
  throw new ProgramError('AORTA-USAGE', {
    problem: `there is no outcome ${kind}`,
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}The kinds are ${kinds.join(', ')}, and outage and slow as JSON.`,
  });
}

function triggerCommand(surroundings: Surroundings): Command {
  const command = verb(
    'trigger <provider> <users...>',
    'pull the history of users again',
    'Plans all historical pulls of the users with these ids from a provider again. Users without a working connection to the provider are ignored.',
    ['aorta service pulls trigger oura 5b1e6c0f-0d4c-4d8e-9f57-2f3a0c6b7a11'],
  );
  return controlVerb(surroundings, command, {
    ask: (port, _: object, provider: string, users: readonly string[]) =>
      port.post<{ readonly planned: number }>('/pulls/trigger', { provider, user_ids: users }),
    say: ({ planned }) =>
      `Planned ${counted(planned, 'pull')}. ${planned === 0 ? 'Only users with a working connection to the provider have pulls.' : 'They start as the clock moves.'}\n`,
  });
}
