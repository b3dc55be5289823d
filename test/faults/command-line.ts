import { Readable } from 'node:stream';
import { run } from '../../pipelines/aorta/cli/command-line.ts';

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs an `aorta` command for a folder, in this process instead of a new one. Returns the output and the exit code. */
export async function aorta(
  folder: string,
  words: readonly string[],
  input = '',
  environment: NodeJS.ProcessEnv = {},
): Promise<Said> {
  const written = { out: '', err: '' };
  const output = (name: 'out' | 'err') => ({
    isTerminal: false,
    columns: undefined,
    colors: false,
    async write(text: string | Uint8Array) {
      written[name] += String(text);
    },
  });
  const code = await run(words, {
    terminal: { out: output('out'), err: output('err') },
    environment,
    folder,
    input: Readable.from([Buffer.from(input)]),
    stopRequest: () => ({ signal: new AbortController().signal, cause: undefined, [Symbol.dispose]: () => {} }),
  });
  return { code, ...written };
}

/** The JSON report of a load. */
export interface Report {
  readonly received: number;
  readonly redelivered: number;
  readonly streams: Readonly<Record<string, number>>;
  readonly unrouted: number;
  readonly dead_letters: Readonly<Record<string, number>>;
  readonly partial: Readonly<Record<string, number>>;
  readonly received_ahead?: number;
  readonly tables: Readonly<Record<string, number>>;
}

export function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** Returns the codes of the printed errors, in order. */
export function codesOf({ err }: Pick<Said, 'err'>): string[] {
  return [...err.matchAll(/\[(AORTA-[A-Z-]+)\]$/gm)].map(([, code]) => code!);
}
