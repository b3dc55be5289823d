import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cached } from './cache.ts';
import { BrokerProblem } from './problem.ts';
import { finished } from './run.ts';

const POM = join(import.meta.dirname, 'pom.xml');
const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

/** The folder of the broker's jars: fetched from Maven Central once, with Maven. Rejects with {@link BrokerProblem}. */
export async function kafkaJars(): Promise<string> {
  const pom = await readFile(POM);
  const key = createHash('sha256').update(pom).digest('hex').slice(0, 12);
  return cached(`kafka-jars-${key}`, async (folder) => {
    const words = ['-q', '-B', '-C', '-f', POM, PLUGIN, `-DoutputDirectory=${folder}`, '-DincludeScope=runtime'];
    const { code, output } = await finished('mvn', words).catch(() => {
      throw new BrokerProblem('Maven was not found: install it (`apt-get install maven`), or name a broker in AORTA_KAFKA.');
    });
    if (code !== 0) throw new BrokerProblem(`Maven could not fetch the jars of Kafka: ${lastLine(output)}`);
  });
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';
