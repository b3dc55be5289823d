// Installs the packages that the scripts of package.json need: `node infra/setup/install.mjs run|all`. `run` installs what
// running needs; `all` adds what tests and checks need. This file runs before anything is installed, so it must be plain
// JavaScript for Node 20.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const oldest = { node: 20, npm: 10 };

/** Hashes the lock file and the platform, which together determine the installed packages and their binaries. */
export function wantedHash(lockFile, platform = `${process.platform}-${process.arch}`) {
  return createHash('sha256').update(platform).update('\n').update(lockFile).digest('hex');
}

/**
 * Returns which packages to install; undefined if the stamp shows that they are installed. After `all`, `run` does not
 * remove any.
 */
export function planOf(extent, hash, stamp) {
  if (stamp?.hash === hash && (stamp.extent === extent || stamp.extent === 'all')) return undefined;
  return extent === 'all' || stamp?.extent === 'all' ? 'all' : 'run';
}

export function readStamp(text) {
  try {
    const { hash, extent } = JSON.parse(text);
    return typeof hash === 'string' && (extent === 'run' || extent === 'all') ? { hash, extent } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a message if the installed Node or npm is unsuitable, else undefined. */
export function versionProblem(node, npm) {
  const major = (version) => Number.parseInt(version, 10);
  if (major(node) < oldest.node)
    return `Aorta needs Node ${oldest.node} or newer to set itself up; this is Node ${node}. Install a newer Node from https://nodejs.org.`;
  if (npm === undefined)
    return 'npm was not found. It comes with Node: install Node from https://nodejs.org, or put npm on the PATH.';
  if (major(npm) < oldest.npm)
    return `Aorta needs npm ${oldest.npm} or newer; this is npm ${npm}. Run: npm install --global npm@11`;
  return undefined;
}

/**
 * Returns whether `npm ci` failed only because packages for other platforms are missing from the lock file. This happens
 * if the lock file was created with a registry that lacks these packages. npm names their versions if the registry of this
 * machine has them. They are optional dependencies of packages in the lock file, so `npm install` works without them.
 */
export function lacksPlatforms(output, lockFile) {
  const complaints = output.split('\n').filter((line) => /^npm (error|ERR!) (Missing|Invalid):/.test(line));
  const optional = new Set(
    Object.values(JSON.parse(lockFile).packages ?? {}).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    ),
  );
  return (
    complaints.length > 0 && complaints.every((line) => optional.has(/ Missing: (@?[^@\s]+)@\S* from lock file/.exec(line)?.[1]))
  );
}

/** The names that Chromium has on the PATH. */
export const browsers = ['chromium', 'chromium-browser', 'google-chrome'];

const kafka = '`aorta dev kafka` and the tests with a Kafka broker need';
/** Programs that npm cannot install. Any one of the `names` on the PATH suffices. */
const programs = [
  { title: 'Java', names: ['java'], reason: `${kafka} Java 17 or newer`, debian: 'default-jre-headless' },
  { title: 'Maven', names: ['mvn'], reason: `${kafka} it to download Kafka`, debian: 'maven' },
  { title: 'Chromium', names: browsers, reason: 'the test of the local service’s page needs it', debian: 'chromium' },
];

/** Returns the programs that tests need and this machine lacks. `find` returns whether a program is on the PATH. */
export function missingPrograms(find, environment = {}) {
  const has = (name) => (name === 'java' && Boolean(environment.JAVA_HOME)) || find(name);
  return programs.filter(({ names }) => !names.some(has));
}

/** Returns a line for each missing program. The tests that need the program are skipped. */
export function programProblem(missing) {
  return missing
    .map(({ title, reason, debian }) => `${title} was not found: ${reason}. On Debian: apt-get install ${debian}`)
    .join('\n');
}

/** Returns what to do after a failed install, based on the output of npm. */
export function hintOf(output, environment = {}) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|network/i.test(output)) {
    const proxy = environment.HTTPS_PROXY ?? environment.https_proxy;
    return `The package registry cannot be reached. Check the network${proxy ? ', the proxy in HTTPS_PROXY' : ''} and the registry of npm (npm config get registry), then start again.`;
  }
  if (/ENOTCACHED/.test(output))
    return 'npm is in offline mode, and its cache lacks a package. Start once with network access and without --offline.';
  if (/EACCES|EPERM|EROFS/.test(output))
    return "npm may not write a file. Check who owns this folder and npm's cache (npm config get cache).";
  if (/ENOSPC/.test(output)) return 'The disk is full. The packages need about 1 GB.';
  if (/code EUSAGE|are in sync|npm ci. can only install/.test(output))
    return 'package.json and package-lock.json do not match. Use both from the same commit, or run npm install if you changed package.json.';
  if (environment.CI === 'true')
    return 'In CI, check that the runner reaches the package registry and that install scripts are allowed for the package `node`.';
  return 'Start again. If it fails in the same way, remove the folder node_modules and start again.';
}

function npm(args, root, environment) {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20, env: installEnvironment(environment) };
  // Inside a script, npm exports its own path and the path of its Node. So this call works even if npm is not on the
  // PATH.
  const { npm_execpath: script, npm_node_execpath: node } = environment;
  if (script?.endsWith('.js') && node !== undefined) return spawnSync(node, [script, ...args], options);
  return spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
}

/**
 * Returns the environment of the inner npm, without the variables that the outer npm set for its script. It removes
 * `node_modules/.bin` from the PATH too, because `npm ci` deletes the Node that the package `node` put there.
 */
export function installEnvironment(environment) {
  const outer = /^npm_(package_|lifecycle_|command$|config_(omit|include|only|production|global|local_prefix|workspaces?)$)/;
  const kept = Object.fromEntries(Object.entries(environment).filter(([name]) => !outer.test(name) && name !== 'NODE_ENV'));
  const path = Object.keys(kept).find((name) => name.toUpperCase() === 'PATH');
  if (path !== undefined)
    kept[path] = kept[path]
      .split(delimiter)
      .filter((folder) => !/node_modules[\\/]\.bin[\\/]?$/.test(folder))
      .join(delimiter);
  return kept;
}

function install(extent, root, environment) {
  const modules = join(root, 'node_modules');
  const stampFile = join(modules, '.aorta-setup');
  const lockFile = read(join(root, 'package-lock.json')) ?? '';
  const hash = wantedHash(lockFile);
  const stamp = readStamp(read(stampFile) ?? '');
  const plan = planOf(extent, hash, stamp);
  if (plan === undefined) return 0;

  const version = npm(['--version'], root, environment);
  const problem = versionProblem(process.versions.node, version.status === 0 ? version.stdout.trim() : undefined);
  if (problem !== undefined) return fail(problem);

  process.stderr.write(
    `${stamp === undefined || stamp.hash === hash ? '' : 'package-lock.json has changed since the last installation. '}Installing ${plan === 'all' ? 'packages for running and testing' : 'the packages that running needs'} (npm ci, once; a minute or two)…\n`,
  );
  // Remove the stamp first, so that an install that is killed does not look complete.
  rmSync(stampFile, { force: true });
  const settings = ['--no-audit', '--no-fund', '--loglevel=error', plan === 'run' ? '--omit=dev' : '--include=dev'];
  let result = npm(['ci', ...settings], root, environment);
  // --no-save changes neither package.json nor the lock file. npm still installs the locked versions.
  if (result.status !== 0 && lacksPlatforms(outputOf(result), lockFile))
    result = npm(['install', '--no-save', ...settings], root, environment);
  if (result.status !== 0) {
    process.stderr.write(outputOf(result));
    return fail(`The packages could not be installed. ${hintOf(outputOf(result), environment)}`);
  }
  mkdirSync(modules, { recursive: true });
  writeFileSync(`${stampFile}.new`, `${JSON.stringify({ hash, extent: plan })}\n`);
  renameSync(`${stampFile}.new`, stampFile);
  if (plan === 'all') provide(environment);
  return 0;
}

/** Installs missing programs as Debian packages if this process is root, as in a container. Names the programs that remain missing. */
function provide(environment) {
  const missing = () => missingPrograms((program) => findProgram(program, environment) !== undefined, environment);
  const packages = missing().map(({ debian }) => debian);
  if (packages.length === 0) return;
  if (process.getuid?.() === 0 && findProgram('apt-get', environment) !== undefined) {
    process.stderr.write(`Installing ${packages.join(', ')} (apt-get, once; a minute)…\n`);
    const options = { encoding: 'utf8', env: { ...environment, DEBIAN_FRONTEND: 'noninteractive' } };
    spawnSync('apt-get', ['update'], options);
    const { status, stderr } = spawnSync('apt-get', ['install', '--yes', '--no-install-recommends', ...packages], options);
    if (status !== 0) process.stderr.write(stderr ?? '');
  }
  const left = missing();
  if (left.length > 0) process.stderr.write(`${programProblem(left)}\n`);
}

/** Returns the path of a program on the PATH, or undefined. */
export function findProgram(program, environment) {
  const path = environment.PATH ?? environment.Path ?? '';
  const names = process.platform === 'win32' ? [`${program}.exe`, `${program}.cmd`] : [program];
  const files = path.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return files.find((file) => existsSync(file));
}

function outputOf({ stdout, stderr, error }) {
  return `${stdout ?? ''}${stderr ?? ''}${error === undefined ? '' : `${error.code ?? error.name}\n`}`;
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  return 1;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

if (process.argv[1] !== undefined && fileURLToPath(import.meta.url) === realpathSync(process.argv[1])) {
  const [extent] = process.argv.slice(2);
  const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
  if (extent === 'run' || extent === 'all') process.exitCode = install(extent, root, process.env);
  else {
    process.stderr.write('Usage: node infra/setup/install.mjs run|all\n');
    process.exitCode = 2;
  }
}
