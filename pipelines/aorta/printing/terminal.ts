/** Where a verb prints: data to `out`, everything else to `err`. Tests pass their own. */
export interface Terminal {
  readonly out: Output;
  readonly err: Output;
}

export interface Output {
  /** Writes, and waits while the reader is slow. */
  write(text: string | Uint8Array): Promise<void>;
  /** Whether a person looks at it. */
  readonly isTerminal: boolean;
  /** Columns, where a person looks at it. */
  readonly columns: number | undefined;
  readonly colors: boolean;
}

/** The streams of this process. A reader that went away (`aorta query … | head`) ends it without a word. */
export function processTerminal(): Terminal {
  return { out: outputOf(process.stdout), err: outputOf(process.stderr) };
}

function outputOf(stream: NodeJS.WriteStream): Output {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 1);
  });
  const isTerminal = stream.isTTY === true;
  return {
    isTerminal,
    get columns() {
      return isTerminal ? stream.columns : undefined;
    },
    colors: isTerminal && (process.env.NO_COLOR ?? '') === '' && process.env.TERM !== 'dumb',
    write: (text) =>
      new Promise((done) => {
        if (stream.write(text)) done();
        else stream.once('drain', done);
      }),
  };
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

const codes: Record<Style, readonly [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
};

/** The text in a style, where the output shows styles. */
export function styled(output: Output, style: Style, text: string): string {
  const [on, off] = codes[style];
  return output.colors ? `\u001b[${on}m${text}\u001b[${off}m` : text;
}
