import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cached, finished, reason } from '@aorta/machine';
import { brokerProblem, type Java } from './java.ts';
import { brokerProperties } from './properties.ts';

const FACTS = 'meta.properties';
const CLUSTER = /^cluster\.id=(.*)$/m;
const NODE = /^node\.id=.*$/m;
const DIRECTORY = /^directory\.id=.*$/m;

/** Returns a new cluster id. It never begins with a dash, because Kafka's tools would treat such an id as an option. */
export function newCluster(): string {
  while (true) {
    const id = randomBytes(16).toString('base64url');
    if (!id.startsWith('-')) return id;
  }
}

/**
 * Formats a folder for a broker's logs if necessary, and returns the folder's cluster id. A folder that is already
 * formatted keeps its cluster id. For a new folder, the parameter `cluster` is the cluster id. Kafka's tool takes a
 * second, so it runs only once per machine, and later calls copy its result.
 */
export async function formatStorage(java: Java, folder: string, node = 1, cluster = newCluster()): Promise<string> {
  const facts = join(folder, FACTS);
  if (!existsSync(facts)) {
    const template = await cached(`kafka-storage-${java.key}`, (made) => format(java, made));
    await cp(template, folder, { recursive: true, filter: (from) => !from.endsWith(FACTS) });
    const text = await readFile(join(template, FACTS), 'utf8');
    const own = text.replace(CLUSTER, `cluster.id=${cluster}`).replace(NODE, `node.id=${node}`);
    await writeFile(facts, own.replace(DIRECTORY, `directory.id=${newCluster()}`));
  }
  return CLUSTER.exec(await readFile(facts, 'utf8'))?.[1] ?? '';
}

async function format(java: Java, folder: string): Promise<void> {
  await using made = new AsyncDisposableStack();
  const settings = made.adopt(await mkdtemp(join(tmpdir(), 'aorta-kafka-format-')), (one) =>
    rm(one, { recursive: true, force: true }),
  );
  const file = join(settings, 'server.properties');
  await writeFile(file, brokerProperties({ ports: { plain: 1, controller: 2 }, folder }));
  const words = ['-cp', java.classPath, 'kafka.tools.StorageTool', 'format', '-t', newCluster(), '-c', file];
  const { code, output } = await finished(java.program, words);
  if (code !== 0) throw brokerProblem(`Kafka's storage tool failed: ${reason(output)}`);
}
