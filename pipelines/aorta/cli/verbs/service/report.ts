import { visible } from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import { Command } from 'commander';
import { nearestName } from '../../../config/nearest-name.ts';
import { ProgramError } from '../../../errors.ts';
import type { Surroundings } from '../../surroundings.ts';
import { verb } from '../verb.ts';
import { controlVerb } from './control-verb.ts';
import { readObject } from './json-input.ts';

type Outcome =
  | { readonly kind: 'completed'; readonly data: { readonly results: readonly unknown[] } }
  | { readonly kind: 'failed'; readonly failure_reason: string };

const reasons = ['invalid_input', 'low_quality', 'not_english', 'too_many_pages', 'processing_error'];

export function reportCommand(surroundings: Surroundings): Command {
  return new Command('report')
    .summary('decide how the parsing of a lab report ends')
    .description(
      'The API takes lab reports as files, and starts a parsing job for each upload. The files decide how the job ends.',
    )
    .addCommand(scriptCommand(surroundings));
}

function scriptCommand(surroundings: Surroundings): Command {
  const command = verb(
    'script <user> <outcome>',
    'decide how the next parsing job of a user ends',
    `Decides how the next parsing job of the user with this id ends, regardless of the uploaded files. Upload the report after this command. The outcome is the reason of a failure (${reasons.join(', ')}) or a JSON object; - reads the object from standard input. A completed job has the kind completed, and data with metadata and results. A new script replaces an earlier one that no job has used yet.`,
    [
      'aorta service report script 5b1e6c0f-0d4c-4d8e-9f57-2f3a0c6b7a11 low_quality',
      `aorta service report script 5b1e6c0f-0d4c-4d8e-9f57-2f3a0c6b7a11 '{"kind":"completed","data":{"metadata":{},"results":[{"test_name":"Ferritin","value":"12","units":"ng/mL"}]}}'`,
      'aorta service report script 5b1e6c0f-0d4c-4d8e-9f57-2f3a0c6b7a11 - < outcome.json',
    ],
  );
  return controlVerb(surroundings, command, {
    ask: async (port, _: object, user: string, outcome: string) =>
      port.post<{ readonly user_id: string; readonly outcome: Outcome }>('/reports/script', {
        user_id: user,
        outcome: await outcomeOf(outcome, surroundings),
      }),
    say: ({ outcome }) => `The next parsing job of this user ${visible(textOf(outcome))}.\n`,
  });
}

/** Parses a reason of a failure or a JSON object, or reads the object from standard input. */
async function outcomeOf(text: string, surroundings: Surroundings): Promise<object> {
  if (reasons.includes(text)) return { kind: 'failed', failure_reason: text };
  if (text === '-' || text.startsWith('{')) return readObject(text, 'the outcome', surroundings);
  const meant = nearestName(text, reasons);
  throw new ProgramError('AORTA-USAGE', {
    problem: `${text} is not an outcome`,
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Give ${reasons.join(', ')}, or a JSON object.`,
  });
}

function textOf(outcome: Outcome): string {
  return outcome.kind === 'failed'
    ? `fails with ${outcome.failure_reason}`
    : `completes with ${counted(outcome.data.results.length, 'result')}`;
}
