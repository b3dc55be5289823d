import { Command, Option } from 'commander';
import { ProgramError } from '../../../errors.ts';
import type { Surroundings } from '../../surroundings.ts';
import { verb } from '../verb.ts';
import { controlVerb, given, listing, repeated } from './control-verb.ts';
import { readObject } from './json-input.ts';

interface Course {
  readonly order_id: string;
  /** The statuses that are still to come. */
  readonly steps: readonly { readonly status: string; readonly at: string }[];
}

interface ScriptFlags {
  readonly interpretation?: string;
  readonly resultType?: readonly string[];
  /** False after `--no-missing-results`. */
  readonly missingResults?: boolean;
}

export function orderCommand(surroundings: Surroundings): Command {
  return new Command('order')
    .summary('decide the results and the course of a lab order')
    .description('The API creates lab orders. Each order takes its course by itself, with generated results.')
    .addCommand(scriptCommand(surroundings));
}

function scriptCommand(surroundings: Surroundings): Command {
  const command = verb(
    'script <order> [script]',
    'decide the results and the course of an order',
    'Decides the results of the order with this id, and prints its remaining statuses with their times. Give the decisions as options or as a JSON object; - reads the object from standard input. Its members are steps, interpretation, result_types and has_missing_results. `steps` replaces the remaining statuses, and an empty list ends the course. Without `steps`, the course continues. A step has a `status`, and may have `after` (virtual seconds after the step before; default: 0) and `status_detail`, the reason of the status. The service generates what the command leaves out, so a later script must repeat what an earlier one decided about the results.',
    [
      'aorta service order script c704af7a-ef72-4225-9a78-1101c32c41b9 --interpretation abnormal',
      'aorta service order script c704af7a-ef72-4225-9a78-1101c32c41b9 --result-type numeric --no-missing-results',
      `aorta service order script c704af7a-ef72-4225-9a78-1101c32c41b9 '{"steps":[{"status":"requisition_created"},{"status":"sample_error","after":86400,"status_detail":"sample_hemolyzed"}]}'`,
      'aorta service order script c704af7a-ef72-4225-9a78-1101c32c41b9 - < script.json',
    ],
  )
    .addOption(
      new Option(
        '--interpretation <value>',
        'worst interpretation of the results; if they cannot have it, the next milder one',
      ).choices(['unknown', 'normal', 'abnormal', 'critical']),
    )
    .option(
      '--result-type <type>',
      'only results of this type, if the order has any: numeric, range, comment or coded_value; may be repeated',
      repeated,
    )
    .option('--missing-results', 'at least one result is missing')
    .option('--no-missing-results', 'no result is missing');
  return controlVerb(surroundings, command, {
    ask: async (port, { interpretation, resultType, missingResults }: ScriptFlags, order: string, script: string | undefined) => {
      const chosen = given({ interpretation, result_types: resultType, has_missing_results: missingResults });
      if (script === undefined && Object.keys(chosen).length === 0)
        throw new ProgramError('AORTA-USAGE', {
          problem: 'the command needs something to decide',
          hint: 'Give --interpretation, --result-type, --missing-results, --no-missing-results or a script.',
        });
      const object = script === undefined ? {} : await readObject(script, 'the script', surroundings);
      return port.post<Course>('/orders/script', { ...object, ...chosen, order_id: order });
    },
    say: ({ steps }, out) =>
      listing(
        out,
        ['status', 'time'],
        steps.map(({ status, at }) => [status, at]),
        'No further status of the order is planned.',
      ),
  });
}
