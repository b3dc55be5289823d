import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partitionOf } from '@aorta/connectors';
import { openLocalLog } from '@aorta/connectors/log';
import { FilesSource } from '../../connectors/files/source.ts';
import { writeFiles } from './delivery-files.ts';
import { recordOf } from './landing.ts';
import { type Figure, type Spent, spent } from './measure.ts';
import { stage } from './stage.ts';

const EVENTS = 10_000;

/** Measures the stages that the other measurements leave out: reading files, writing streams and reading streams. */
export async function stages(rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-bench-'));
  const took = { files: [] as Spent[], append: [] as Spent[], read: [] as Spent[] };
  try {
    const paths = await writeFiles(folder, 'samples', EVENTS);
    const records = Array.from({ length: EVENTS }, (_, index) => recordOf(index));
    for (let round = -1; round < rounds; round++) {
      const files = await spent(() => readFiles(paths));
      const log = await openLocalLog({ folder: join(folder, `streams-${round}`) });
      const append = await spent(async () => {
        for (const record of records) log.append('timeseries', record);
        await log.flush();
      });
      const read = await spent(async () => {
        for (let from = 0; from < EVENTS; )
          from = (await log.read(partitionOf('timeseries'), from, { records: 5000, bytes: 2 ** 25 })).to;
      });
      await log.close();
      // The first round is a warm-up.
      if (round < 0) continue;
      took.files.push(files);
      took.append.push(append);
      took.read.push(read);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return [
    ...stage('gzipped delivery files → deliveries', took.files, EVENTS),
    ...stage('records → durable stream', took.append, EVENTS),
    ...stage('stream → records', took.read, EVENTS),
  ];
}

async function readFiles(paths: readonly string[]): Promise<void> {
  let count = 0;
  for await (const { deliveries } of new FilesSource({ paths }).batches(new AbortController().signal)) count += deliveries.length;
  if (count !== EVENTS) throw new Error('the files were not read to the end');
}
