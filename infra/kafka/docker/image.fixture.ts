import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { imageOf, librariesOf, place } from '@aorta/machine/docker.fixture';
import { kafkaJars } from '../java.ts';
import { LIBS } from './container-broker.ts';

const run = promisify(execFile);

/** The path of the Java runtime, the same as in Apache's image. */
const JAVA = '/opt/java/openjdk';
const MODULES = [
  'base',
  'desktop',
  'logging',
  'management',
  'naming',
  'net.http',
  'rmi',
  'security.jgss',
  'security.sasl',
  'sql',
  'xml',
].map((name) => `java.${name}`);
const JDK_MODULES = ['crypto.ec', 'management', 'net', 'unsupported', 'zipfs'].map((name) => `jdk.${name}`);

/** Returns the path of `jlink`, which builds a small Java runtime. Uses JAVA_HOME if it is set, or else the PATH. */
export const jlink = (): string => (process.env.JAVA_HOME === undefined ? 'jlink' : join(process.env.JAVA_HOME, 'bin', 'jlink'));

/**
 * Builds an image with Kafka from scratch. It contains a small Java runtime, the broker's jars, a shell, and the system
 * libraries that Java and the shell need. Java and the jars have the same paths as in Apache's image. Returns a function
 * that removes the image.
 */
export async function buildImage(name: string): Promise<() => Promise<void>> {
  const jars = await kafkaJars();
  const root = await mkdtemp(join(tmpdir(), 'aorta-image-'));
  try {
    await Promise.all([
      run(jlink(), [
        '--strip-debug',
        '--no-header-files',
        '--no-man-pages',
        '--output',
        join(root, JAVA),
        '--add-modules',
        [...MODULES, ...JDK_MODULES].join(','),
      ]),
      cp(jars, join(root, LIBS), { recursive: true }),
    ]);
    await place('/bin/sh', root, '/bin/sh');
    const libraries = (await readdir(join(root, JAVA, 'lib')))
      .filter((file) => file.endsWith('.so'))
      .map((file) => join('lib', file));
    const needing = ['bin/java', 'lib/server/libjvm.so', ...libraries].map((file) => join(root, JAVA, file));
    for (const library of await librariesOf([...needing, '/bin/sh'], JAVA)) await place(library, root, library);
    await mkdir(join(root, 'etc'));
    await writeFile(join(root, 'etc', 'passwd'), 'root:x:0:0:root:/:/bin/sh\n');
    await mkdir(join(root, 'tmp'));
    await chmod(join(root, 'tmp'), 0o1777);
    const changes = [`ENV PATH=${JAVA}/bin:/bin`, `ENV JAVA_HOME=${JAVA}`];
    return await imageOf(name, ['-C', root, '.'], changes);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
