import { visible } from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import { Command } from 'commander';
import type { Surroundings } from '../../surroundings.ts';
import { verb } from '../verb.ts';
import { controlVerb, listing, segment } from './control-verb.ts';
import { readObject } from './json-input.ts';

interface Rule {
  readonly rule_id: string;
  readonly on: string;
  readonly match: Readonly<Record<string, unknown>>;
  readonly effect?: Readonly<Record<string, unknown>>;
  readonly times?: number;
  readonly probability?: number;
  readonly delay_ms?: number;
  readonly delay_seconds?: number;
  /** How often the rule has applied. */
  readonly used: number;
}

export function faultCommand(surroundings: Surroundings): Command {
  return new Command('fault')
    .summary('make requests and deliveries fail')
    .description(
      'A fault rule selects requests to the API or deliveries of events, and says what goes wrong with them. The first rule that applies decides.',
    )
    .addCommand(addCommand(surroundings))
    .addCommand(listCommand(surroundings))
    .addCommand(removeCommand(surroundings))
    .addCommand(clearCommand(surroundings));
}

function addCommand(surroundings: Surroundings): Command {
  const command = verb(
    'add <rule>',
    'add a rule',
    'Adds a rule after the other rules. The rule is a JSON object; - reads it from standard input. `on` is operation (a request to the API) or delivery (a webhook, or an event of a pipeline). `match` selects operations by operation, method, path, path_prefix, query and team_id. It selects deliveries by event_type_prefix and user_id, and by one of endpoint_id, pipeline and via. Effects on operations are status, answer, closed_beta, reset, hang and loop. Effects on deliveries are lose, duplicate and reorder. `times` and `probability` limit how often the rule applies. `delay_ms` delays an operation in real time, and `delay_seconds` delays a delivery in virtual time.',
    [
      `aorta service fault add '{"on":"operation","match":{"operation":"list_users"},"times":2,"effect":{"kind":"status","status":429,"retry_after":{"seconds":3}}}'`,
      `aorta service fault add '{"on":"delivery","match":{"event_type_prefix":"daily.data."},"probability":0.1,"effect":{"kind":"duplicate"}}'`,
      'aorta service fault add - < rule.json',
    ],
  );
  return controlVerb(surroundings, command, {
    ask: async (port, _: object, rule: string) => port.post<Rule>('/faults', await readObject(rule, 'the rule', surroundings)),
    say: (rule) => `${visible(`Added ${rule.rule_id}: ${textOf(rule)}.`)}\n`,
  });
}

function listCommand(surroundings: Surroundings): Command {
  const command = verb(
    'list',
    'list the rules',
    'Lists the rules in their order, with the number of times that each has applied.',
    ['aorta service fault list', 'aorta service fault list --json'],
  );
  return controlVerb(surroundings, command, {
    ask: (port) => port.get<{ readonly faults: readonly Rule[] }>('/faults'),
    say: ({ faults }, out) =>
      listing(
        out,
        ['rule', 'used', 'what it does'],
        faults.map((rule) => [rule.rule_id, rule.used, textOf(rule)]),
        'There are no rules.',
      ),
  });
}

function removeCommand(surroundings: Surroundings): Command {
  const command = verb('remove <rule>', 'remove a rule', 'Removes the rule with this id.', [
    'aorta service fault remove fault_0123',
  ]);
  return controlVerb(surroundings, command, {
    ask: (port, _: object, id: string) => port.post(`/faults/${segment(id)}/remove`),
    say: () => 'Removed the rule.\n',
  });
}

function clearCommand(surroundings: Surroundings): Command {
  const command = verb('clear', 'remove all rules', 'Removes all rules.', ['aorta service fault clear']);
  return controlVerb(surroundings, command, {
    ask: (port) => port.post<{ readonly removed: number }>('/faults/clear'),
    say: ({ removed }) => `Removed ${counted(removed, 'rule')}.\n`,
  });
}

/** Describes a rule in one line: what it selects, what happens, and its limits. */
function textOf({ on, match, effect, times, probability, delay_ms, delay_seconds }: Rule): string {
  const selected = membersOf(match);
  const parts = [
    `${on === 'operation' ? 'requests' : 'deliveries'}${selected === '' ? '' : ` with ${selected}`}`,
    ...(delay_ms === undefined ? [] : [`delayed by ${delay_ms} ms`]),
    ...(delay_seconds === undefined ? [] : [`delayed by ${delay_seconds} s`]),
    ...(effect === undefined ? [] : [membersOf(effect).replace(/^kind (?:status, )?/, '')]),
    ...(times === undefined ? [] : [`at most ${times === 1 ? 'once' : `${times} times`}`]),
    ...(probability === undefined ? [] : [`probability ${probability}`]),
  ];
  return parts.join('; ');
}

function membersOf(members: Readonly<Record<string, unknown>>): string {
  return Object.entries(members)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
