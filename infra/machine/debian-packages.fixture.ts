import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { cached } from './cache.ts';

const run = promisify(execFile);

/** Whether a program can be started by its name. */
export const isOnPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** Returns the programs that {@link unpackedPackages} needs and this machine does not have. */
export const missingForPackages = (): string[] => ['apt-get', 'dpkg-deb'].filter((program) => !isOnPath(program));

/** Unpacks packages of this machine's distribution into the folder of this name in the cache. Nothing is installed. */
export function unpackedPackages(name: string, packages: readonly string[]): Promise<string> {
  const system = /^VERSION_CODENAME=(.*)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'linux';
  return cached(`${name}-${system}-${process.arch}`, async (to) => {
    const fetched = join(to, 'packages');
    await mkdir(fetched);
    const download = () => run('apt-get', ['-qq', '-o', 'APT::Sandbox::User=root', 'download', ...packages], { cwd: fetched });
    // A new machine has no package lists, and outdated lists name packages that no longer exist.
    await download().catch(() => run('apt-get', ['-qq', 'update']).then(download));
    const files = readdirSync(fetched).map((file) => join(fetched, file));
    for (const file of files) await run('dpkg-deb', ['-x', file, to]);
    await rm(fetched, { recursive: true });
  });
}
