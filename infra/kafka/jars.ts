import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, cacheFolder } from './cache.ts';
import { BrokerProblem } from './problem.ts';
import { finished, reason } from './run.ts';

const POM = join(import.meta.dirname, 'pom.xml');
const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const NO_MAVEN =
  'Maven was not found, which fetches Kafka once. Install it (apt-get install maven), or name a broker in AORTA_KAFKA_BROKERS.';

const folderName = (): string => `kafka-jars-${createHash('sha256').update(readFileSync(POM)).digest('hex').slice(0, 12)}`;

/** The folder of the broker's jars: fetched from Maven Central once, with Maven. Rejects with {@link BrokerProblem}. */
export async function kafkaJars(): Promise<string> {
  return cached(folderName(), async (folder) => {
    // Checksums are verified, and what could not be fetched an hour ago is asked for again.
    const words = ['-q', '-B', '-C', '-U', '-f', POM, PLUGIN, `-DoutputDirectory=${folder}`, '-DincludeScope=runtime'];
    const { code, output } = await finished('mvn', words).catch(() => {
      throw new BrokerProblem(NO_MAVEN);
    });
    if (code !== 0) throw new BrokerProblem(`Maven could not fetch the jars of Kafka: ${reason(output)}`);
  });
}

/** Why they cannot be had, as a sentence; undefined where they are there or Maven is. */
export async function jarsProblem(): Promise<string | undefined> {
  if (existsSync(join(cacheFolder(), folderName()))) return undefined;
  return finished('mvn', ['-v']).then(
    () => undefined,
    () => NO_MAVEN,
  );
}
