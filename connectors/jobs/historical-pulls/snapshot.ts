import { join } from 'node:path';
import { makeFolder, partitionOf, readIfThere, replaceFile, type StreamLog } from '@aorta/streams';
import type { Owed } from './notices.ts';
import { type EvidenceStream, evidenceStreams, type Tracker } from './tracker.ts';

const FORMAT = 1;
const FILE = 'tracker.ndjson';
const SENT = 'notices-sent.json';
/** Lines that are put together before they are written. */
const LINES = 1_000;

/** How far the streams have been heard. */
export type Positions = Record<EvidenceStream, { readonly incarnation: string; readonly position: number }>;

interface Head {
  readonly format: number;
  readonly positions: Positions;
  readonly owed: Owed | null;
}

/** What a tracker was when it was last written down. It saves reading the streams again, and can always be made from them. */
export interface Remembered {
  readonly positions: Positions;
  readonly owed: Owed | undefined;
  readonly users: readonly (readonly [userId: string, gone: boolean, evidence: Buffer])[];
}

/** Reads it; undefined where there is none, or one of another version or of other streams. */
export async function readSnapshot(folder: string, log: StreamLog): Promise<Remembered | undefined> {
  const content = await readIfThere(join(folder, FILE));
  if (content === undefined) return undefined;
  try {
    const [first, ...lines] = content.toString('utf8').trimEnd().split('\n');
    const head = JSON.parse(first!) as Head;
    if (head.format !== FORMAT) return undefined;
    const ours = evidenceStreams.every((stream) => {
      const { incarnation, position } = head.positions[stream];
      const of = partitionOf(stream);
      return position === 0 || (incarnation === log.incarnation(of) && position <= log.end(of));
    });
    if (!ours) return undefined;
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
export async function writeSnapshot(
  folder: string,
  tracker: Tracker,
  positions: Positions,
  owed: Owed | undefined,
): Promise<void> {
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
export async function readSent(folder: string): Promise<readonly string[]> {
  const content = await readIfThere(join(folder, SENT));
  try {
    return content === undefined ? [] : (JSON.parse(content.toString('utf8')) as readonly string[]);
  } catch {
    // Each notice comes at least once.
    return [];
  }
}

export async function writeSent(folder: string, sent: readonly string[]): Promise<void> {
  await makeFolder(folder);
  await replaceFile(join(folder, SENT), [JSON.stringify(sent)]);
}
