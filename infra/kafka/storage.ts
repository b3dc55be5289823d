import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cached } from './cache.ts';
import type { Java } from './java.ts';
import { BrokerProblem } from './problem.ts';
import { brokerProperties } from './properties.ts';
import { finished } from './run.ts';

/** Any: brokers that know nothing of each other may have the same. */
const CLUSTER = 'YW9ydGEtbG9jYWwta2Fma2E';

/** Formats a folder for a broker's logs. Kafka's own tool does it once, what it wrote is copied then: it takes a second each time. */
export async function formatStorage(java: Java, folder: string): Promise<void> {
  const template = await cached(`kafka-storage-${java.key}`, async (made) => {
    const settings = await mkdtemp(join(tmpdir(), 'aorta-kafka-format-'));
    try {
      const file = join(settings, 'server.properties');
      await writeFile(file, brokerProperties({ ports: { plain: 1, controller: 2 }, folder: made }));
      const words = ['-cp', java.classPath, 'kafka.tools.StorageTool', 'format', '-t', CLUSTER, '-c', file];
      const { code, output } = await finished(java.program, words);
      if (code !== 0) throw new BrokerProblem(`Kafka's storage tool failed: ${output.trim().split('\n').at(-1)}`);
    } finally {
      await rm(settings, { recursive: true, force: true });
    }
  });
  await cp(template, folder, { recursive: true });
}
