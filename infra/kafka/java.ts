import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { finished, type ServerProblem } from '@aorta/machine';
import { brokerProblem } from './problem.ts';

/** Kafka 4 needs this Java or a newer one. */
const OLDEST = 17;

/** What a broker is for: `tests` want it soon and small, as one of `several` smaller still; under `load` it is measured, and is what one in production is. */
export type Purpose = 'tests' | 'several' | 'load';

const flags: Readonly<Record<Purpose, readonly string[]>> = {
  // The quicker compiler alone, whose code is slower, and a small heap.
  tests: ['-Xmx512m', '-Xms64m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
  several: ['-Xmx256m', '-Xms64m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
  // Heap and collector as Kafka's own script has them.
  load: ['-Xmx1g', '-Xms1g', '-XX:+UseG1GC', '-XX:MaxGCPauseMillis=20'],
};

/** How Java runs a broker, with a log of warnings and errors. */
export function jvmOf(purpose: Purpose = 'tests'): readonly string[] {
  return [...flags[purpose], '-XX:-UsePerfData', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'];
}

/** What starts a Java program with the broker's jars. */
export interface Java {
  readonly program: string;
  readonly classPath: string;
  /** Which Java with which jars: an archive of classes is good for just these. */
  readonly key: string;
}

/** The machine's Java: of JAVA_HOME, else of the path. Rejects with {@link ServerProblem} where there is none, or an older one. */
export async function javaWith(jars: string): Promise<Java> {
  const { program, said } = await machineJava();
  const names = (await readdir(jars)).sort();
  const key = createHash('sha256')
    .update([said, ...names].join('\n'))
    .digest('hex')
    .slice(0, 12);
  // In an order that is always the same: an archive of classes is refused where it differs.
  return { program, classPath: names.map((name) => join(jars, name)).join(':'), key };
}

/** Why there is no Java for a broker, or undefined. */
export async function javaProblem(): Promise<ServerProblem | undefined> {
  return machineJava().then(
    () => undefined,
    (error: ServerProblem) => error,
  );
}

/** Which program it is, and what it says of itself. */
async function machineJava(): Promise<{ readonly program: string; readonly said: string }> {
  if (process.platform === 'win32')
    throw brokerProblem('A broker on this machine needs Linux or macOS', 'On Windows, work in its subsystem for Linux.');
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
