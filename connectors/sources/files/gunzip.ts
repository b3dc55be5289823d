import { setImmediate } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';

/** The compressed bytes are damaged, or end too early. Everything before was given out. */
export class DamagedGzip extends Error {
  /** Where the compressed bytes begin that could not be taken; undefined where they all were, and more should follow. */
  readonly position: number | undefined;

  constructor(position: number | undefined) {
    super('the gzip data is damaged or cut off');
    this.name = 'DamagedGzip';
    this.position = position;
  }
}

/** Compressed bytes that are handed to the inflater at a time. */
const STEP = 64 * 1024;

/**
 * Inflates a gzip stream of any number of members. Unlike a pipeline, which throws away what it holds when it fails, it
 * gives out everything that was inflated before the damage, and then throws {@link DamagedGzip}. `open` gives the
 * compressed bytes from their start; where there is damage, a second time.
 */
export async function* gunzip(open: () => AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let given = 0;
  let damagedAt: number;
  try {
    for await (const bytes of inflate(open(), Number.POSITIVE_INFINITY)) {
      given += bytes.length;
      yield bytes;
    }
    return;
  } catch (error) {
    if (!(error instanceof DamagedGzip) || error.position === undefined) throw error;
    damagedAt = error.position;
  }
  // The inflater keeps what it made of a step in which it fails to itself. Byte by byte it gives out all but nothing.
  for await (const bytes of inflate(open(), damagedAt)) {
    const known = Math.min(given, bytes.length);
    given -= known;
    if (known < bytes.length) yield bytes.subarray(known);
  }
}

/** Inflates in steps, from `bytewise` on of one byte. */
async function* inflate(chunks: AsyncIterable<Buffer>, bytewise: number): AsyncGenerator<Buffer> {
  using opened = new DisposableStack();
  const inflater = opened.adopt(createGunzip({ chunkSize: 2 * 1024 * 1024 }), (one) => one.destroy());
  let inflated: Buffer[] = [];
  let state: 'open' | 'ended' | 'damaged' = 'open';
  let wake: () => void = () => {};
  inflater.on('data', (bytes: Buffer) => inflated.push(bytes));
  // It also ends by itself, before its input does, where something else than another member follows.
  inflater.once('end', () => {
    if (state === 'open') state = 'ended';
    wake();
  });
  inflater.once('error', () => {
    state = 'damaged';
    wake();
  });
  const is = (asked: typeof state) => state === asked;
  const step = async (act: (done: () => void) => void): Promise<readonly Buffer[]> => {
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (is('open')) act(resolve);
      else resolve();
    });
    // What is still on its way to the listener arrives before the next step.
    await setImmediate();
    const ready = inflated;
    inflated = [];
    return ready;
  };

  let position = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length && is('open'); ) {
      const size = position < bytewise ? Math.min(STEP, bytewise - position) : 1;
      const bytes = chunk.subarray(at, at + size);
      yield* await step((done) => inflater.write(bytes, done));
      if (is('damaged')) throw new DamagedGzip(position);
      at += bytes.length;
      position += bytes.length;
    }
    if (!is('open')) break;
  }
  yield* await step(() => inflater.end());
  if (is('damaged')) throw new DamagedGzip(undefined);
}
