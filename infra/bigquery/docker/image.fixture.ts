import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { finished } from '@aorta/machine';
import { imageOf, librariesOf, place } from '@aorta/machine/docker.fixture';
import { emulatorPython } from '../emulator/python.ts';
import { CONTEXT, START } from './container-emulator.ts';

/** The path prefix of Python in the image. Python's official image uses the same prefix. */
const PREFIX = 'usr/local';
/** The parts of the standard library and of the packages that the emulator never loads, such as development tools. */
const NEEDLESS = ['site-packages', 'test', 'idlelib', 'tkinter', 'ensurepip', 'lib2to3', 'config-*'];
const NEEDLESS_PACKAGES = ['pip', 'setuptools', 'grpc_tools', '*/tests', 'pyarrow/include', 'pyarrow/libarrow_flight*'];

/** Returns the paths of this machine's Python program, of its standard library and of the virtual environment's packages. */
async function pythonPlaces(
  python: string,
): Promise<{ readonly binary: string; readonly library: string; readonly packages: string }> {
  const asked =
    'import os, sys, sysconfig; p = sysconfig.get_paths(); print(os.path.realpath(sys.executable), p["stdlib"], p["purelib"])';
  const [binary, library, packages] = (await finished(python, ['-c', asked])).output.trim().split(' ');
  return { binary: binary!, library: library!, packages: packages! };
}

/**
 * Builds the image that the Dockerfile describes, but from this machine's Python and virtual environment, a shell, and the system
 * libraries that they need. Returns a function that removes the image.
 */
export async function buildImage(name: string): Promise<() => Promise<void>> {
  const { binary, library, packages } = await pythonPlaces(await emulatorPython());
  const version = `python${/python(\d+\.\d+)$/.exec(library)![1]}`;
  const root = await mkdtemp(join(tmpdir(), 'aorta-image-'));
  try {
    await place('/bin/sh', root, '/bin/sh');
    await place(binary, root, `/${PREFIX}/bin/${version}`);
    await symlink(version, join(root, PREFIX, 'bin', 'python'));
    const modules = (await readdir(join(library, 'lib-dynload'))).map((file) => join(library, 'lib-dynload', file));
    const extensions = (await readdir(packages, { recursive: true })).filter((file) => /\.so(\.\d+)*$/.test(file));
    const needing = [binary, '/bin/sh', ...modules, ...extensions.map((file) => join(packages, file))];
    for (const one of await librariesOf(needing, packages)) await place(one, root, one);
    await mkdir(join(root, dirname(START)), { recursive: true });
    await cp(join(CONTEXT, 'start.py'), join(root, START));
    await mkdir(join(root, 'etc'));
    await writeFile(join(root, 'etc', 'passwd'), 'root:x:0:0:root:/:/bin/sh\n');
    await mkdir(join(root, 'tmp'));
    await chmod(join(root, 'tmp'), 0o1777);
    const from = (folder: string): string => relative('/', folder);
    const words = [
      '-C',
      root,
      '.',
      '-C',
      '/',
      ...NEEDLESS.map((one) => `--exclude=${from(library)}/${one}`),
      ...NEEDLESS_PACKAGES.map((one) => `--exclude=${from(packages)}/${one}`),
      // The rule for packages comes first, because their folder may be inside the standard library's folder.
      `--transform=s,^${from(packages)},${PREFIX}/lib/${version}/site-packages,`,
      `--transform=s,^${from(library)},${PREFIX}/lib/${version},`,
      from(library),
      from(packages),
    ];
    // Debian's Python does not look for packages in this folder by default. The Python in the official image does.
    const changes = [`ENV PATH=/${PREFIX}/bin:/bin`, `ENV PYTHONPATH=/${PREFIX}/lib/${version}/site-packages`];
    return await imageOf(name, words, changes);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
