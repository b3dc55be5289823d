import { setImmediate } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';

/** Thrown if the compressed bytes are damaged or incomplete. Everything before the damage has already been yielded. */
export class DamagedGzip extends Error {
  /** Offset of the first compressed bytes that could not be inflated; undefined if the data ends too early. */
  readonly position: number | undefined;

  constructor(position: number | undefined) {
    super('the gzip data is damaged or cut off');
    this.name = 'DamagedGzip';
    this.position = position;
  }
}

/** Number of compressed bytes per write to the inflater. */
const STEP = 64 * 1024;

/**
 * Inflates a gzip stream of any number of members. If a stream pipeline fails, it drops its buffered output. This
 * function instead yields everything inflated before the damage, and then throws {@link DamagedGzip}. `open` returns the
 * compressed bytes from their start. If there is damage, it is called a second time.
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
  // A step that fails loses its output. Repeating the step byte by byte recovers nearly all of that output.
  for await (const bytes of inflate(open(), damagedAt)) {
    const known = Math.min(given, bytes.length);
    given -= known;
    if (known < bytes.length) yield bytes.subarray(known);
  }
}

/** Inflates in steps of {@link STEP} bytes, and byte by byte from offset `bytewise` on. */
async function* inflate(chunks: AsyncIterable<Buffer>, bytewise: number): AsyncGenerator<Buffer> {
  using opened = new DisposableStack();
  const inflater = opened.adopt(createGunzip({ chunkSize: 2 * 1024 * 1024 }), (one) => one.destroy());
  let inflated: Buffer[] = [];
  let state: 'open' | 'ended' | 'damaged' = 'open';
  let wake: () => void = () => {};
  inflater.on('data', (bytes: Buffer) => inflated.push(bytes));
  // Zero padding after the last member ends the inflater before its input ends.
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
    // Output may still be on its way to the listener.
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
