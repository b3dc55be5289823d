import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDuckDbReader } from '@aorta/connectors/duckdb/module';
import { load, readSetting } from 'aorta/internals';
import fc from 'fast-check';
import { expect, test } from 'vitest';

/**
 * A receipt consists of a position and a time. A load must report as many deliveries as there are receipts in its files, and
 * `deliveries` must have one row per receipt.
 */

const BEGIN = Date.UTC(2026, 2, 28, 12) / 1000;

const event = (content: number, ordinal: number) => ({
  event_type: 'daily.data.heartrate.created',
  user_id: `user-${content}`,
  data: {
    source: { provider: 'oura', type: 'ring' },
    data: [{ timestamp: `2026-03-28T12:00:0${ordinal}Z`, unit: 'bpm', value: 60 }],
  },
});
/** Returns a line of a delivery file. Each line contains its own time of receipt. */
const line = (content: number, ordinal: number, second: number) => ({
  source: 'hub',
  partition: String(content),
  offset: ordinal,
  received_at: new Date((BEGIN + second) * 1000).toISOString(),
  headers: {},
  body: event(content, ordinal),
});

/** A change to the files of a folder before they are loaded. */
type Change =
  | { readonly kind: 'write'; readonly name: number; readonly content: number; readonly events: number; readonly second: number }
  | { readonly kind: 'copy' | 'copy and touch' | 'rename'; readonly name: number; readonly to: number; readonly second: number }
  | { readonly kind: 'touch'; readonly name: number; readonly second: number };

const name = fc.nat(4);
const second = fc.nat(3);
const written = { name, content: fc.nat(1), events: fc.integer({ min: 1, max: 3 }), second };
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), ...written }),
  fc.record({ kind: fc.constantFrom('copy' as const, 'copy and touch' as const, 'rename' as const), name, to: name, second }),
  fc.record({ kind: fc.constant('touch' as const), name, second }),
);

/** A file in the model, with the positions of its events. For a plain file, `second` is the time of receipt. */
interface Known {
  readonly plain: boolean;
  readonly positions: readonly string[];
  readonly second: number;
}

const path = (folder: string, file: number): string => join(folder, `${file}.ndjson`);

/** Applies a change to the folder and the model. A warehouse refuses a mixture of plain files and delivery files. */
function carryOut(folder: string, files: Map<number, Known>, change: Change, plain: boolean): void {
  const file = path(folder, change.name);
  const touch = (of: string, at: number): void => utimesSync(of, BEGIN + at, BEGIN + at);
  if (change.kind === 'write') {
    const { content, events } = change;
    const entries = Array.from({ length: events }, (_, ordinal) =>
      plain ? event(content, ordinal) : line(content, ordinal, change.second),
    );
    writeFileSync(file, `${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`);
    touch(file, change.second);
    // The content of a plain file determines its partition. A delivery contains its partition and time.
    const place = plain ? `plain ${content} ${events}` : `hub ${content} ${change.second}`;
    files.set(change.name, { plain, positions: entries.map((_, ordinal) => `${place} ${ordinal}`), second: change.second });
    return;
  }
  const known = files.get(change.name);
  if (known === undefined) return;
  if (change.kind === 'touch') {
    touch(file, change.second);
    files.set(change.name, { ...known, second: change.second });
    return;
  }
  if (change.to === change.name) return;
  if (change.kind === 'rename') {
    renameSync(file, path(folder, change.to));
    files.delete(change.name);
    files.set(change.to, known);
    return;
  }
  const at = change.kind === 'copy' ? known.second : change.second;
  cpSync(file, path(folder, change.to));
  touch(path(folder, change.to), at);
  files.set(change.to, { ...known, second: at });
}

const receiptsOf = (files: ReadonlyMap<number, Known>): Set<string> =>
  new Set(
    [...files.values()].flatMap(({ plain, positions, second: at }) => positions.map((one) => (plain ? `${one} ${at}` : one))),
  );

test('deliveries has one row per receipt, even if files are copied, touched or renamed between loads', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      async (loads, plain) => {
        const place = mkdtempSync(join(tmpdir(), 'aorta-receipts-'));
        try {
          const folder = join(place, 'in');
          mkdirSync(folder);
          const setting = readSetting({ warehouse: 'duckdb:health.duckdb' }, {}, place);
          const files = new Map<number, Known>();
          const all = new Set<string>();
          for (const changes of loads) {
            for (const one of changes) carryOut(folder, files, one, plain);
            if (files.size === 0) continue;
            for (const receipt of receiptsOf(files)) all.add(receipt);
            const read = [...files.values()].reduce((sum, { positions }) => sum + positions.length, 0);
            const { report } = await load({ setting, files: [...files.keys()].map((file) => path(folder, file)) });
            expect(report.received).toBe(read);
            expect(report.tables.deliveries).toBe(all.size);
          }
          if (all.size === 0) return;
          const reader = await openDuckDbReader({ path: join(place, 'health.duckdb') });
          const { rows } = await reader.query(
            'select count(*), count(distinct (source, source_partition, source_offset, received_at)) from deliveries',
          );
          for await (const [row] of rows) expect(row!.map(Number)).toEqual([all.size, all.size]);
          await reader.close();
        } finally {
          rmSync(place, { recursive: true, force: true });
        }
      },
    ),
    { numRuns: 6 * Number(process.env.SOAK ?? 1), endOnFailure: true },
  );
});
