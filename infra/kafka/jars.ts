import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, cacheFolder, finished, reason, type ServerProblem } from '@aorta/machine';
import { brokerProblem } from './problem.ts';

const POM = join(import.meta.dirname, 'pom.xml');
const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const NO_MAVEN = brokerProblem(
  'Maven was not found, which fetches Kafka once',
  'Install it, and start again (on Debian: apt-get install maven).',
);

const NO_NETWORK = 'Check that Maven Central, or the mirror in the settings of Maven, can be reached, and start again.';

const folderName = (): string => `kafka-jars-${createHash('sha256').update(readFileSync(POM)).digest('hex').slice(0, 12)}`;

/** The folder of the broker's jars: fetched from Maven Central once, with Maven; `fetching` hears of it. Rejects with {@link ServerProblem}. */
export async function kafkaJars(fetching: () => void = () => {}): Promise<string> {
  return cached(folderName(), async (folder) => {
    fetching();
    // Checksums are verified, and what could not be fetched an hour ago is asked for again.
    const words = [
      '-q',
      '-B',
      '-C',
      '-U',
      '-f',
      POM,
      PLUGIN,
      `-DoutputDirectory=${folder}`,
      '-DincludeScope=runtime',
      '-Dmaven.artifact.threads=12',
    ];
    const { code, output } = await finished('mvn', words).catch(() => {
      throw NO_MAVEN;
    });
    if (code !== 0) throw brokerProblem(`Maven could not fetch the jars of Kafka: ${reason(output)}`, NO_NETWORK);
  });
}

/** Why they cannot be had, or undefined where they are there or Maven is. */
export async function jarsProblem(): Promise<ServerProblem | undefined> {
  if (existsSync(join(cacheFolder(), folderName()))) return undefined;
  return finished('mvn', ['-v']).then(
    () => undefined,
    () => NO_MAVEN,
  );
}
