import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codecOf, type StreamName, streamNames, streamSchemas } from '@aorta/schemas';
import avsc from 'avsc';
import { example } from '../../schemas/codec/example.fixture.ts';
import { sameOnTheWire } from './compatibility.ts';
import { folder, readReleases, readVersion } from './released.ts';
import { warehouseOfThisVersion } from './warehouse.ts';

/**
 * `npm run freeze`: saves what this version writes, so that every later version can be tested against it. Run it once per
 * release, after the new version number is in package.json and CHANGELOG.md.
 *
 * It saves each changed declaration with encoded records, and a database with merged rows and waiting batches.
 */
const { version } = JSON.parse(readFileSync(join(folder, '../../package.json'), 'utf8')) as { version: string };
const releases = readReleases();
if (releases[version] !== undefined) {
  process.stderr.write(`${version} is already frozen. A released version never changes; raise the version in package.json.\n`);
  process.exit(1);
}

/** Returns the number under which a stream's declaration is saved. A changed declaration gets a new number. */
function freezeStream(stream: StreamName): number {
  const last = Math.max(0, ...Object.values(releases).map((streams) => streams[stream] ?? 0));
  if (last > 0 && sameOnTheWire(readVersion(stream, last).schema, streamSchemas[stream])) return last;
  const codec = codecOf(stream);
  const type = avsc.Type.forSchema(JSON.parse(codec.schema), { wrapUnions: 'never' } as never);
  const golden = [1, 2, 3].map((seed) => {
    const record = example(stream, seed);
    return { record: JSON.parse(type.toString(record)), encoded: codec.encode(record as never).toString('hex') };
  });
  const next = join(folder, 'streams', stream, `v${last + 1}`);
  mkdirSync(join(folder, 'streams', stream), { recursive: true });
  writeFileSync(`${next}.avsc`, `${JSON.stringify(streamSchemas[stream], undefined, 1)}\n`);
  writeFileSync(`${next}.json`, `${JSON.stringify(golden, undefined, 1)}\n`);
  process.stderr.write(`${stream}: v${last + 1}\n`);
  return last + 1;
}

const streams = Object.fromEntries(streamNames.map((stream) => [stream, freezeStream(stream)]));
const { script, rows } = await warehouseOfThisVersion();
mkdirSync(join(folder, 'warehouse'), { recursive: true });
writeFileSync(join(folder, 'warehouse', `${version}.sql`), script);
writeFileSync(join(folder, 'warehouse', `${version}.json`), `${JSON.stringify(rows, undefined, 1)}\n`);
writeFileSync(join(folder, 'releases.json'), `${JSON.stringify({ ...releases, [version]: streams }, undefined, 1)}\n`);
process.stderr.write(`${version} is frozen\n`);
