import { Command } from 'commander';
import { ProgramError } from '../../errors.ts';
import type { ExitCode } from '../exit.ts';
import type { Surroundings } from '../surroundings.ts';

const codes = new WeakMap<Command, ExitCode>();

/** Creates a command without options. `examples` are complete command lines. */
export function verb(nameAndArguments: string, summary: string, description: string, examples: readonly string[]): Command {
  const command = new Command(nameAndArguments.split(' ')[0]);
  for (const argument of nameAndArguments.split(' ').slice(1)) command.argument(argument);
  command.summary(summary).description(description);
  if (examples.length > 0) command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  $ ${line}`).join('\n')}`);
  return command;
}

/** Returns the full name of a command, such as `aorta dlq show`. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

export function exitCodeOf(command: Command): ExitCode | undefined {
  const own = codes.get(command);
  if (own !== undefined) return own;
  for (const child of command.commands) {
    const code = exitCodeOf(child);
    if (code !== undefined) return code;
  }
  return undefined;
}

/** Sets the function that a command runs. The function returns the exit code. */
export function action<Options, Arguments extends readonly unknown[]>(
  command: Command,
  act: (options: Options, ...values: Arguments) => Promise<ExitCode>,
): Command {
  return command.action(async (...given: unknown[]) => {
    const values = given.slice(0, command.registeredArguments.length) as unknown as Arguments;
    codes.set(command, await act(command.opts() as Options, ...values));
  });
}

export type MakeCommand = (surroundings: Surroundings) => Command;

/** Returns a parser for an option whose value must be a whole number from `least` to `most`. */
export function wholeNumber(option: string, least: number, most: number = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    const upTo = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
    throw new ProgramError('AORTA-USAGE', { problem: `${option} needs a whole number`, hint: `Give ${upTo}.` });
  };
}
