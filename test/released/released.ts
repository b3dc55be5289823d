import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AvroRecord } from '../../schemas/streams/declaration.ts';

/** The folder of the released declarations. `npm run freeze` writes its files. Do not edit them. */
export const folder = import.meta.dirname;

/** The version number of each stream's declaration, by release. */
export type Releases = Readonly<Record<string, Readonly<Record<string, number>>>>;

export function readReleases(): Releases {
  const file = join(folder, 'releases.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Releases) : {};
}

/** A record that a version wrote, as Avro JSON and as single-object encoding in hexadecimal digits. */
interface GoldenRecord {
  readonly record: unknown;
  readonly encoded: string;
}

export interface FrozenVersion {
  readonly stream: string;
  readonly version: number;
  /** Schema in the form of a segment header. */
  readonly schema: AvroRecord;
  readonly golden: readonly GoldenRecord[];
}

const read = (path: string): unknown => JSON.parse(readFileSync(join(folder, 'streams', path), 'utf8'));

export function readVersion(stream: string, version: number): FrozenVersion {
  return {
    stream,
    version,
    schema: read(`${stream}/v${version}.avsc`) as AvroRecord,
    golden: read(`${stream}/v${version}.json`) as GoldenRecord[],
  };
}

/** Returns every released version of every stream's declaration. */
export function frozenVersions(): FrozenVersion[] {
  const last = new Map<string, number>();
  for (const streams of Object.values(readReleases()))
    for (const [stream, version] of Object.entries(streams)) last.set(stream, Math.max(last.get(stream) ?? 0, version));
  return [...last].flatMap(([stream, count]) => Array.from({ length: count }, (_, index) => readVersion(stream, index + 1)));
}
