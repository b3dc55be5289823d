import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, cacheFolder, finished, reason, type ServerProblem } from '@aorta/machine';
import { brokerProblem } from './problem.ts';

const POM = join(import.meta.dirname, 'pom.xml');
const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const NO_MAVEN = brokerProblem(
  'Maven was not found, and Kafka is not downloaded yet',
  'Install Maven and start again (on Debian: apt-get install maven).',
);

const NO_NETWORK = 'Check that Maven Central, or the mirror in your Maven settings, can be reached, and start again.';

const folderName = (): string => `kafka-jars-${createHash('sha256').update(readFileSync(POM)).digest('hex').slice(0, 12)}`;

/**
 * Returns the folder with the broker's jars. If the jars are not cached, calls `fetching` and downloads them. Rejects with
 * {@link ServerProblem} if the download fails.
 */
export async function kafkaJars(fetching: () => void = () => {}): Promise<string> {
  return cached(folderName(), async (folder) => {
    fetching();
    // -C verifies checksums. -U retries jars that Maven recently failed to download.
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
    if (code !== 0) throw brokerProblem(`Maven could not download Kafka: ${reason(output)}`, NO_NETWORK);
  });
}

/** Returns why the jars are not available on this machine; undefined if they are cached or Maven can download them. */
export async function jarsProblem(): Promise<ServerProblem | undefined> {
  if (existsSync(join(cacheFolder(), folderName()))) return undefined;
  return finished('mvn', ['-v']).then(
    () => undefined,
    () => NO_MAVEN,
  );
}
