import { shellWord } from '@aorta/runtime/shell-word';
import type { Environment } from '../../config/document.ts';

/** Options that a command repeats in the commands that it prints, so that they find the same data or the same service. */
export interface PlaceWords {
  readonly config?: string | undefined;
  readonly warehouse?: string | undefined;
  readonly data?: string | undefined;
  /** Address of the control port of `aorta service`. */
  readonly controlUrl?: string | undefined;
}

/** How the user called the program. */
export interface Call {
  /** `npx aorta` if npm started the program, because a shell does not find `aorta` then. */
  readonly program: 'aorta' | 'npx aorta';
  readonly place: PlaceWords;
}

/** Used for a program that uses the library, because Aorta does not know that program's own commands. */
export const plainCall: Call = { program: 'aorta', place: {} };

export function callOf({ config, warehouse, data, controlUrl }: PlaceWords, environment: Environment): Call {
  const program = (environment.npm_command ?? '') === '' ? 'aorta' : 'npx aorta';
  return { program, place: { config, warehouse, data, controlUrl } };
}

/** Returns the options of {@link PlaceWords} that a command accepts. */
export function placeOptionsOf([name = '', next = '--help']: readonly string[]): readonly (keyof PlaceWords)[] {
  if (name === 'service') return next.startsWith('-') || next === 'start' ? [] : ['controlUrl'];
  if (name === 'demo' || name === 'dev' || name.startsWith('-')) return [];
  return ['config', 'warehouse', 'data'];
}

const flags = { config: '--config', warehouse: '--warehouse', data: '--data', controlUrl: '--control-url' } as const;

/**
 * Completes a command line that ends with a command of Aorta, such as `aorta status` or `cat a | aorta load -`, so that it
 * works if the user pastes it into a shell. Adds the place, unless the line already has it, and the way to start the program.
 */
export function commandLine(line: string, { program, place }: Call): string {
  const start = line.startsWith('aorta ') ? 0 : line.lastIndexOf('| aorta ') + 2;
  const words = line.slice(start).split(' ').slice(1);
  const options = words.at(-1) === '--help' ? [] : placeOptionsOf(words);
  const added = options.flatMap((name) => {
    const value = place[name];
    return value === undefined || words.includes(flags[name]) ? [] : [` ${flags[name]} ${shellWord(value)}`];
  });
  return `${line.slice(0, start)}${program} ${words.join(' ')}${added.join('')}`;
}

/** Completes the command lines in a text: those between backticks, and those that end with `--help`. */
export function withCommandLines(text: string, call: Call): string {
  return text.replace(/`((?:[^`]*\| )?aorta [^`]*)`|\baorta(?: [\w-]+)* --help\b/g, (found, quoted: string | undefined) =>
    quoted === undefined ? commandLine(found, call) : `\`${commandLine(quoted, call)}\``,
  );
}
