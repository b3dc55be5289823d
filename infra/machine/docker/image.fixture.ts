import { execFile, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { getContainerRuntimeClient } from 'testcontainers';

const run = promisify(execFile);

/**
 * Creates an image from scratch, without a registry. The image contains the files that `tar -c` archives when it is called
 * with the arguments `words`. Returns a function that removes the image.
 */
export async function imageOf(name: string, words: readonly string[], changes: readonly string[]): Promise<() => Promise<void>> {
  const { dockerode } = (await getContainerRuntimeClient()).container;
  const [repo, tag] = name.split(':');
  const tar = spawn('tar', ['-c', ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  const progress = await dockerode.importImage(tar.stdout, { repo, tag, changes: [...changes] });
  for await (const _ of progress);
  return async () => void (await dockerode.getImage(name).remove({ force: true }));
}

/** Copies a file to the path `name` below a root folder. Resolves symbolic links. */
export async function place(file: string, root: string, name: string): Promise<void> {
  const to = join(root, name);
  await mkdir(dirname(to), { recursive: true });
  await copyFile(realpathSync(file), to);
}

/**
 * Returns the paths of the shared libraries that the files need. Omits libraries below `own`, because the caller copies
 * that folder.
 */
export async function librariesOf(files: readonly string[], own: string): Promise<Set<string>> {
  const { stdout } = await run('ldd', [...files]);
  const found = [...stdout.matchAll(/(?:=> |^\s*)(\/\S+)(?= \(0x)/gm)].map(([, library]) => library!);
  return new Set(found.filter((library) => !library.includes(own)));
}
