import { execFile, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { getContainerRuntimeClient } from 'testcontainers';
import { kafkaJars } from '../jars.ts';
import { LIBS } from './container-broker.ts';

const run = promisify(execFile);

/** Where the image has Java: as Apache's. */
const JAVA = '/opt/java/openjdk';
const MODULES = [
  ...['base', 'desktop', 'logging', 'management', 'naming', 'net.http', 'rmi', 'security.jgss', 'security.sasl', 'sql', 'xml'],
].map((name) => `java.${name}`);
const JDK_MODULES = ['crypto.ec', 'management', 'net', 'unsupported', 'zipfs'].map((name) => `jdk.${name}`);

/** The program that makes a small Java, beside the machine's own: of JAVA_HOME, else of the path. */
export const jlink = (): string => (process.env.JAVA_HOME === undefined ? 'jlink' : join(process.env.JAVA_HOME, 'bin', 'jlink'));

/**
 * Makes an image with Kafka out of nothing: a small Java, the broker's jars, a shell, and the libraries of the system that
 * these need; all at the places where Apache's image has them. Gives a function that removes it.
 */
export async function buildImage(name: string): Promise<() => Promise<void>> {
  const jars = await kafkaJars();
  const { container } = await getContainerRuntimeClient();
  const { dockerode } = container;
  const root = await mkdtemp(join(tmpdir(), 'aorta-image-'));
  try {
    await Promise.all([
      run(jlink(), [
        ...['--strip-debug', '--no-header-files', '--no-man-pages', '--output', join(root, JAVA)],
        ...['--add-modules', [...MODULES, ...JDK_MODULES].join(',')],
      ]),
      cp(jars, join(root, LIBS), { recursive: true }),
    ]);
    await place('/bin/sh', root, '/bin/sh');
    const libraries = (await readdir(join(root, JAVA, 'lib')))
      .filter((file) => file.endsWith('.so'))
      .map((file) => join('lib', file));
    const needing = ['bin/java', 'lib/server/libjvm.so', ...libraries].map((file) => join(root, JAVA, file));
    for (const library of await librariesOf([...needing, '/bin/sh'])) await place(library, root, library);
    await mkdir(join(root, 'etc'));
    await writeFile(join(root, 'etc', 'passwd'), 'root:x:0:0:root:/:/bin/sh\n');
    await mkdir(join(root, 'tmp'));
    await chmod(join(root, 'tmp'), 0o1777);
    const [repo, tag] = name.split(':');
    const tar = spawn('tar', ['-C', root, '-c', '.'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const changes = [`ENV PATH=${JAVA}/bin:/bin`, `ENV JAVA_HOME=${JAVA}`];
    const progress = await dockerode.importImage(tar.stdout, { repo, tag, changes });
    for await (const _ of progress);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
  return async () => void (await dockerode.getImage(name).remove({ force: true }));
}

/** Copies what a name stands for to the same name below a root. */
async function place(file: string, root: string, name: string): Promise<void> {
  const to = join(root, name);
  await mkdir(dirname(to), { recursive: true });
  await copyFile(realpathSync(file), to);
}

/** The shared libraries that programs and libraries of this machine need, apart from those that lie beside them. */
async function librariesOf(files: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const file of files) {
    const { stdout } = await run('ldd', [file]);
    for (const [, library] of stdout.matchAll(/(?:=> |^\s*)(\/\S+)(?= \(0x)/gm))
      if (!library!.includes(JAVA)) found.add(library!);
  }
  return found;
}
