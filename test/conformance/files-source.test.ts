import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FilesCheckpoints } from '../../connectors/files/checkpoints.ts';
import { FilesSource } from '../../connectors/files/source.ts';
import { sourceConformance } from './source.ts';

// The source reads a changed file again from its start, so each `put` writes a new file.
sourceConformance('files', async (count) => {
  const folder = await mkdtemp(join(tmpdir(), 'files-'));
  const incoming = join(folder, 'incoming');
  await mkdir(incoming);
  const partitions = Array.from({ length: count }, (_, partition) => `part-${partition}`);
  const ends = partitions.map(() => 0);
  return {
    partitions,
    put: async (partition, deliveries) => {
      const first = ends[partition]!;
      ends[partition] = first + deliveries.length;
      const lines = deliveries.map(({ body, headers, key }, at) => {
        const receivedAt = new Date(1_700_000_000_000 + first + at).toISOString();
        const facts = { source: 'hub', partition: partitions[partition], offset: first + at, received_at: receivedAt };
        return `${JSON.stringify({ ...facts, headers, key, body_base64: body.toString('base64') })}\n`;
      });
      await writeFile(join(incoming, `${partitions[partition]}.${String(first).padStart(9, '0')}.ndjson`), lines.join(''));
    },
    open: async () =>
      new FilesSource({ paths: [incoming], checkpoints: await FilesCheckpoints.open(join(folder, 'checkpoints.json')) }),
    remove: () => rm(folder, { recursive: true }),
  };
});
