import { pathText, systemCode, visible, visibleLines } from '@aorta/runtime';
import { ProgramError } from '../../errors.ts';

/** The sequences that Aorta itself writes to a terminal: styles, and those that redraw a line of progress. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences begin with a control character
const ownSequences = /(\u001b\[(?:\d+m|K)|\r)/;

/** The outputs of a command: data goes to `out`, everything else to `err`. Tests pass their own outputs. */
export interface Terminal {
  readonly out: Output;
  readonly err: Output;
}

export interface Output {
  /**
   * Writes text for people or JSON, or bytes that must be exact in a file or pipe. Waits if the process that reads the output is
   * slow. Standard output rejects with AORTA-OUTPUT-UNWRITABLE. Standard error never rejects, because nothing depends on it.
   */
  write(text: string | Uint8Array): Promise<void>;
  readonly isTerminal: boolean;
  /** Width of the terminal; undefined if the output is not a terminal. */
  readonly columns: number | undefined;
  readonly colors: boolean;
}

/** Returns the outputs of this process. If the reading process ends first (`aorta query … | head`), this process exits silently. */
export function processTerminal(): Terminal {
  const out = outputOf(process.stdout, (error) => {
    if (systemCode(error) === 'EPIPE') process.exit(0);
    throw new ProgramError('AORTA-OUTPUT-UNWRITABLE', { code: systemCode(error) });
  });
  return { out, err: outputOf(process.stderr, () => {}) };
}

/** `refused` handles the error of a write. The write rejects with what it throws. */
function outputOf(stream: NodeJS.WriteStream, refused: (error: Error) => void): Output {
  // Without a listener, the error of a write would also be an uncaught exception.
  stream.on('error', () => {});
  const isTerminal = stream.isTTY === true;
  return {
    isTerminal,
    get columns() {
      return isTerminal ? stream.columns : undefined;
    },
    colors: isTerminal && (process.env.NO_COLOR ?? '') === '' && process.env.TERM !== 'dumb',
    write: async (text) => {
      const { promise, resolve } = Promise.withResolvers<Error | null | undefined>();
      stream.write(text, resolve);
      const error = await promise;
      if (error) refused(error);
    },
  };
}

/**
 * Returns outputs that show hidden characters of text as escapes, so that no text from outside controls the terminal. The
 * caller must first make line breaks inside values visible. On a terminal, bytes are shown in the same way. Elsewhere, they
 * stay unchanged.
 */
export function guarded({ out, err }: Terminal): Terminal {
  return { out: guardedOutput(out), err: guardedOutput(err) };
}

function guardedOutput(output: Output): Output {
  const { isTerminal, colors } = output;
  const shown = (text: string): string =>
    isTerminal || colors
      ? text
          .split(ownSequences)
          .map((part, index) => (index % 2 === 1 ? part : visibleLines(part)))
          .join('')
      : visibleLines(text);
  return {
    isTerminal,
    colors,
    get columns() {
      return output.columns;
    },
    write: (text) => {
      if (typeof text === 'string') return output.write(shown(text));
      return output.write(isTerminal ? shownBytes(text) : text);
    },
  };
}

/** Returns bytes as lines for a terminal. */
function shownBytes(bytes: Uint8Array): string {
  const lines = pathText(Buffer.from(bytes)).split(/\r?\n/);
  return lines.map(visible).join('\n');
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

const codes: Record<Style, readonly [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
};

/** Returns the text in a style if the output supports colors. */
export function styled(output: Output, style: Style, text: string): string {
  const [on, off] = codes[style];
  return output.colors ? `\u001b[${on}m${text}\u001b[${off}m` : text;
}
