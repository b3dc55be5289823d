import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cached } from './cache.ts';
import { BrokerProblem } from './problem.ts';
import { finished, reason } from './run.ts';

const POM = join(import.meta.dirname, 'pom.xml');
const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

/** The folder of the broker's jars: fetched from Maven Central once, with Maven. Rejects with {@link BrokerProblem}. */
export async function kafkaJars(): Promise<string> {
  const pom = await readFile(POM);
  const key = createHash('sha256').update(pom).digest('hex').slice(0, 12);
  return cached(`kafka-jars-${key}`, async (folder) => {
    // Checksums are verified, and what could not be fetched an hour ago is asked for again.
    const words = ['-q', '-B', '-C', '-U', '-f', POM, PLUGIN, `-DoutputDirectory=${folder}`, '-DincludeScope=runtime'];
    const { code, output } = await finished('mvn', words).catch(() => {
      throw new BrokerProblem(
        'Maven was not found. Install it (apt-get install maven), or name a broker in AORTA_KAFKA_BROKERS.',
      );
    });
    if (code !== 0) throw new BrokerProblem(`Maven could not fetch the jars of Kafka: ${reason(output)}`);
  });
}
