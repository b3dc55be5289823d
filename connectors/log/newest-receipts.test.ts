import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StreamRecords } from '@aorta/schemas';
import { expect, test } from 'vitest';
import type { ReceiptPlace } from '../stream-log.ts';
import { numbered, range, readAll, temporaryFolder } from '../streams/records.fixture.ts';
import { openLocalLog } from './local-log.ts';
import { localStreams } from './module.ts';

/** Returns a record with this receipt. */
function received(source: string, partition: string, offset: number, bodyBytes = 8): StreamRecords['unrouted'] {
  const record = numbered(offset, bodyBytes);
  return { ...record, receipt: { ...record.receipt, source, partition } };
}

/** Appends records to a stream. Each flush makes a block of its own. */
async function append(folder: string, stream: 'unrouted' | 'redelivered', records: readonly StreamRecords['unrouted'][]) {
  await using log = await openLocalLog({ folder });
  for (const record of records) log.append(stream, record);
  await log.flush();
}

const find = (folder: string, wanted: readonly ReceiptPlace[], deep = false) =>
  localStreams.receipts!({ settings: { type: 'local' }, folder, clientId: 'test' }, wanted, { deep });
const place = (source: string, partition: string, offset: number): ReceiptPlace => ({ source, partition, offset });

test('receipts are found in any stream, each in its own source and partition', async () => {
  const folder = await temporaryFolder();
  await append(folder, 'unrouted', [received('kafka', 'a/0', 5), received('kafka', 'a/1', 2), received('other', 'a/0', 99)]);
  await append(folder, 'redelivered', [received('kafka', 'a/0', 6), received('kafka', 'a/0', 4)]);
  const wanted = [place('kafka', 'a/0', 7), place('kafka', 'a/1', 2), place('kafka', 'b/0', 0)];
  expect(await find(folder, wanted)).toEqual({ highest: [6, 2, undefined], isComplete: true });
});

test('the search ends once all receipts are found, and then says nothing about the rest', async () => {
  const folder = await temporaryFolder();
  await append(
    folder,
    'unrouted',
    range(0, 100).map((offset) => received('kafka', 'a/0', offset)),
  );
  expect(await find(folder, [place('kafka', 'a/0', 99)])).toEqual({ highest: [99], isComplete: false });
});

test('a quick search reads only the end of large streams, and a deep search reads everything', async () => {
  const folder = await temporaryFolder();
  const large = range(0, 85).map((offset) => received('kafka', 'a/0', offset, 450 * 1024));
  await append(folder, 'unrouted', [received('kafka', 'quiet/0', 3), ...large]);
  const wanted = [place('kafka', 'quiet/0', 3), place('kafka', 'a/0', 85)];
  expect(await find(folder, wanted)).toEqual({ highest: [undefined, 84], isComplete: false });
  expect(await find(folder, wanted, true)).toEqual({ highest: [3, 84], isComplete: true });
});

test('streams that do not exist contain no receipt', async () => {
  const folder = await temporaryFolder();
  await rm(folder, { recursive: true });
  expect(await find(folder, [place('kafka', 'a/0', 0)])).toEqual({ highest: [undefined], isComplete: true });
});

test('a damaged stream is no proof that a receipt is missing, until a person has settled the loss', async () => {
  const folder = await temporaryFolder();
  await append(folder, 'unrouted', [received('kafka', 'a/0', 0)]);
  await append(folder, 'unrouted', [received('kafka', 'a/0', 1)]);
  await append(folder, 'redelivered', [received('kafka', 'a/1', 7)]);
  const wanted = [place('kafka', 'a/0', 1), place('kafka', 'a/1', 8)];
  expect(await find(folder, wanted)).toEqual({ highest: [1, 7], isComplete: true });

  const segment = join(folder, 'unrouted', '00000000000000000000.avro');
  const bytes = await readFile(segment);
  bytes[bytes.length - 30]! ^= 1;
  await writeFile(segment, bytes);
  const uncertain = { highest: [0, 7], isComplete: false };
  expect(await find(folder, wanted, true)).toEqual(uncertain);
  // The next reader with write access replaces the damaged segment.
  const log = await openLocalLog({ folder });
  expect(await readAll(log, 'unrouted')).toHaveLength(1);
  await log.close();
  expect(await find(folder, wanted, true)).toEqual(uncertain);
  const kept = (await readdir(join(folder, 'unrouted'))).filter((name) => name.endsWith('.damaged'));
  for (const name of kept) await rm(join(folder, 'unrouted', name));
  expect([kept.length, await find(folder, wanted)]).toEqual([1, { highest: [0, 7], isComplete: true }]);
});
