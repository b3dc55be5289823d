import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cached, cacheFolder, finished, reason, ServerProblem } from '@aorta/machine';

/** The oldest version of Java that can run Kafka 4. */
const OLDEST = 17;

const POM = join(import.meta.dirname, 'pom.xml');
const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const NO_NETWORK = 'Check that Maven Central, or the mirror in your Maven settings, can be reached, and start again.';

/**
 * The purpose of a broker. A broker for `tests` is small and starts fast. The brokers of a cluster (`several`) are even
 * smaller. A broker for load tests (`load`) has production settings.
 */
export type Purpose = 'tests' | 'several' | 'load';

const flags: Readonly<Record<Purpose, readonly string[]>> = {
  // A small heap, and only the fast JIT compiler (C1), whose generated code runs slower.
  tests: ['-Xmx512m', '-Xms64m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
  several: ['-Xmx256m', '-Xms64m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
  // The same heap and garbage collector as in Kafka's own start script.
  load: ['-Xmx1g', '-Xms1g', '-XX:+UseG1GC', '-XX:MaxGCPauseMillis=20'],
};

/** Returns the JVM options for a broker that logs only warnings and errors. */
export function jvmOf(purpose: Purpose = 'tests'): readonly string[] {
  return [...flags[purpose], '-XX:-UsePerfData', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'];
}

/** A Java installation together with the broker's jars. */
export interface Java {
  readonly program: string;
  readonly classPath: string;
  /** Identifies the version of Java and the set of jars. A class archive is valid only for the same version and jars. */
  readonly key: string;
}

/** Finds Java in JAVA_HOME, or else on the PATH. Rejects with {@link ServerProblem} if Java is missing or too old. */
export async function javaWith(jars: string): Promise<Java> {
  const { program, said } = await machineJava();
  const names = (await readdir(jars)).sort();
  const key = createHash('sha256')
    .update([said, ...names].join('\n'))
    .digest('hex')
    .slice(0, 12);
  // The jars are sorted so that the class path is always the same. Java rejects a class archive that was written with a
  // different class path.
  return { program, classPath: names.map((name) => join(jars, name)).join(':'), key };
}

/** Returns why this machine has no Java that can run a broker; undefined if a suitable Java is installed. */
export async function javaProblem(): Promise<ServerProblem | undefined> {
  return machineJava().then(
    () => undefined,
    (error: ServerProblem) => error,
  );
}

/**
 * Creates the error for a broker that does not start or that rejects a request. The default hint refers to Kafka's own
 * message.
 */
export const brokerProblem = (
  problem: string,
  hint = 'Fix the cause that Kafka reports, if any, and start again.',
): ServerProblem => new ServerProblem(problem, hint);

/** Returns the machine's Java program and the output of `java -version`. */
async function machineJava(): Promise<{ readonly program: string; readonly said: string }> {
  if (process.platform === 'win32')
    throw brokerProblem('A broker on this machine needs Linux or macOS', 'On Windows, use the Windows Subsystem for Linux.');
  const home = process.env.JAVA_HOME;
  const program = home === undefined ? 'java' : join(home, 'bin', 'java');
  const { output: said } = await finished(program, ['-version']).catch(() => ({ output: '' }));
  const version = Number(/version "(?:1\.)?(\d+)/.exec(said)?.[1] ?? 0);
  if (version >= OLDEST) return { program, said };
  const lack = version === 0 ? 'Java was not found' : `Java ${version} is too old for Kafka`;
  throw brokerProblem(
    lack,
    `Install Java ${OLDEST} or newer, and start again (on Debian: apt-get install openjdk-17-jre-headless).`,
  );
}

const NO_MAVEN = brokerProblem(
  'Maven was not found, and Kafka is not downloaded yet',
  'Install Maven and start again (on Debian: apt-get install maven).',
);

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
