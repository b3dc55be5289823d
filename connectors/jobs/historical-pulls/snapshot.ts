import { join } from 'node:path';
import { makeFolder, readIfThere, replaceFile } from '@aorta/streams';
import type { Owed } from './notices.ts';
import type { Positions, PullsMemory, Remembered, Sweep } from './pulls-memory.ts';
import type { Tracker } from './tracker.ts';

/** Raised when tracks have to be folded again: the streams are then read from their beginning. */
const FORMAT = 2;
const FILE = 'tracker.ndjson';
const SENT = 'notices-sent.json';
const SWEEP = 'sweep.json';
/** Lines that are put together before they are written. */
const LINES = 1_000;

interface Head {
  readonly format: number;
  readonly positions: Positions;
  readonly owed: Owed | null;
}

/** In files beside local streams. It saves reading these again, and can always be made from them. */
export function pullsMemoryInFiles(folder: string): PullsMemory {
  return {
    ofTheseStreams: true,
    read: () => readSnapshot(folder),
    write: (tracker, _, positions, owed) => writeSnapshot(folder, tracker, positions, owed),
    readSent: () => readSent(folder),
    writeSent: (sent) => writeSent(folder, sent),
    readSweep: () => readSweep(folder),
    writeSweep: (sweep) => writeSweep(folder, sweep),
    close: async () => {},
  };
}

/** Reads it; undefined where there is none, or one of another version. */
async function readSnapshot(folder: string): Promise<Remembered | undefined> {
  const content = await readIfThere(join(folder, FILE));
  if (content === undefined) return undefined;
  try {
    const [first, ...lines] = content.toString('utf8').trimEnd().split('\n');
    const head = JSON.parse(first!) as Head;
    if (head.format !== FORMAT) return undefined;
    const users = lines.map((line) => {
      const [userId, gone, evidence] = JSON.parse(line) as [string, boolean, string];
      return [userId, gone, Buffer.from(evidence, 'base64')] as const;
    });
    return { positions: head.positions, owed: head.owed ?? undefined, users };
  } catch {
    // What cannot be read is made anew.
    return undefined;
  }
}

/** Writes it, whole or not at all. */
async function writeSnapshot(folder: string, tracker: Tracker, positions: Positions, owed: Owed | undefined): Promise<void> {
  const head: Head = { format: FORMAT, positions, owed: owed ?? null };
  const parts = [`${JSON.stringify(head)}\n`];
  let lines: string[] = [];
  for (const [userId, gone, evidence] of tracker.snapshot()) {
    lines.push(`${JSON.stringify([userId, gone, evidence.toString('base64')])}\n`);
    if (lines.length < LINES) continue;
    parts.push(lines.join(''));
    lines = [];
  }
  parts.push(lines.join(''));
  await makeFolder(folder);
  await replaceFile(join(folder, FILE), parts);
}

/** Fingerprints of the notices that were sent. */
async function readSent(folder: string): Promise<readonly string[]> {
  const content = await readIfThere(join(folder, SENT));
  try {
    return content === undefined ? [] : (JSON.parse(content.toString('utf8')) as readonly string[]);
  } catch {
    // Each notice comes at least once.
    return [];
  }
}

async function writeSent(folder: string, sent: readonly string[]): Promise<void> {
  await makeFolder(folder);
  await replaceFile(join(folder, SENT), [JSON.stringify(sent)]);
}

async function readSweep(folder: string): Promise<Sweep | undefined> {
  const content = await readIfThere(join(folder, SWEEP));
  return content === undefined ? undefined : sweepIn(content.toString('utf8'));
}

/** A sweep as it was written; undefined where there was none, or one that cannot be read: then the list begins anew. */
export function sweepIn(text: string): Sweep | undefined {
  try {
    const { began, cursor } = (JSON.parse(text) ?? {}) as Partial<Sweep>;
    return typeof began === 'number' && typeof cursor === 'string' ? { began, cursor } : undefined;
  } catch {
    return undefined;
  }
}

async function writeSweep(folder: string, sweep: Sweep | undefined): Promise<void> {
  await makeFolder(folder);
  await replaceFile(join(folder, SWEEP), [JSON.stringify(sweep ?? null)]);
}

/**
 * Takes a user out of what the tracker has written down in a folder, and says whether anything was there. For erasure,
 * while nobody writes there.
 */
export async function forgetPullsOf(folder: string, userId: string): Promise<boolean> {
  const content = (await readIfThere(join(folder, FILE)))?.toString('utf8');
  if (content === undefined) return false;
  let kept: string[];
  try {
    const [first, ...lines] = content.trimEnd().split('\n');
    const head = JSON.parse(first!) as Head;
    const owed = head.owed?.filter(([pull]) => (JSON.parse(pull) as readonly string[])[0] !== userId) ?? null;
    const others = lines.filter((line) => (JSON.parse(line) as readonly unknown[])[0] !== userId);
    if (others.length === lines.length && owed?.length === head.owed?.length) return false;
    kept = [JSON.stringify({ ...head, owed }), ...others];
  } catch {
    // It cannot be read, so it is made anew by the next run: until then it is not kept.
    kept = [];
  }
  await replaceFile(join(folder, FILE), [kept.map((line) => `${line}\n`).join('')]);
  return true;
}
