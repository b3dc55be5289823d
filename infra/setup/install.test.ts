import { describe, expect, it } from 'vitest';
// @ts-expect-error the installer is plain JavaScript because it runs before anything is installed
import * as setup from './install.mjs';

describe('the install plan', () => {
  const hash = setup.wantedHash('{}', 'linux-x64');
  const stamp = (extent: string, of = hash) => ({ hash: of, extent });

  it.each([
    ['run', undefined, 'run'],
    ['all', undefined, 'all'],
    ['run', stamp('run'), undefined],
    ['all', stamp('all'), undefined],
    ['all', stamp('run'), 'all'],
    // If all packages are installed, the packages that `run` needs are installed too.
    ['run', stamp('all'), undefined],
    ['run', stamp('all', 'other'), 'all'],
    ['run', stamp('run', 'other'), 'run'],
  ])('planOf("%s") with the stamp %j returns %s', (extent, found, plan) => {
    expect(setup.planOf(extent, hash, found)).toBe(plan);
  });

  it('wantedHash depends on the lock file and on the platform', () => {
    expect(setup.wantedHash('{}', 'linux-x64')).toBe(hash);
    expect(setup.wantedHash('{ }', 'linux-x64')).not.toBe(hash);
    expect(setup.wantedHash('{}', 'darwin-arm64')).not.toBe(hash);
  });

  it('readStamp returns undefined for an invalid stamp', () => {
    for (const text of ['', '{', '{}', '{"hash":"a"}', '{"hash":1,"extent":"run"}', '{"hash":"a","extent":"some"}', 'null'])
      expect(setup.readStamp(text)).toBeUndefined();
    expect(setup.readStamp('{"hash":"a","extent":"run"}')).toEqual({ hash: 'a', extent: 'run' });
  });
});

describe('the messages of the installer', () => {
  it('versionProblem reports an outdated Node and an outdated or missing npm', () => {
    expect(setup.versionProblem('20.20.2', '11.19.1')).toBeUndefined();
    expect(setup.versionProblem('18.20.0', '11.0.0')).toMatch(/Node 20 or newer.*this is Node 18/);
    expect(setup.versionProblem('22.0.0', '9.8.1')).toMatch(/npm 10 or newer; this is npm 9\.8\.1/);
    expect(setup.versionProblem('22.0.0', undefined)).toMatch(/npm was not found/);
  });

  it('hintOf suggests a fix that matches the output of npm', () => {
    expect(setup.hintOf('npm error code ENOTFOUND')).toMatch(/registry cannot be reached/);
    expect(setup.hintOf('npm error code ECONNREFUSED', { HTTPS_PROXY: 'x' })).toMatch(/HTTPS_PROXY/);
    expect(setup.hintOf('npm error code ENOTCACHED')).toMatch(/offline/);
    expect(setup.hintOf('npm error EACCES: permission denied')).toMatch(/may not write a file/);
    expect(setup.hintOf('npm error code ENOSPC')).toMatch(/disk is full/);
    expect(setup.hintOf('npm ci can only install packages when your package.json and package-lock.json are in sync')).toMatch(
      /do not match/,
    );
    expect(setup.hintOf('something', { CI: 'true' })).toMatch(/^In CI/);
    expect(setup.hintOf('something')).toMatch(/^Start again/);
  });
});

describe('lacksPlatforms', () => {
  const lockFile = JSON.stringify({
    packages: {
      '': { dependencies: { '@biomejs/biome': '2.6.8' } },
      'node_modules/@biomejs/biome': {
        optionalDependencies: { '@biomejs/cli-android-arm64': '2.6.8', '@biomejs/cli-plan9-x64': '2.6.8' },
      },
    },
  });
  /** Returns the output of npm 11 and 12 for some complaints. npm 10 accepts a lock file that lacks platforms. */
  const output = (...complaints: readonly string[]): string =>
    [
      'npm error code EUSAGE',
      'npm error',
      'npm error `npm ci` can only install packages when your package.json and package-lock.json or npm-shrinkwrap.json are in sync. Please update your lock file with `npm install` before continuing.',
      'npm error',
      ...complaints.map((complaint) => `npm error ${complaint}`),
      'npm error',
      'npm error Clean install a project',
    ].join('\n');
  const known = 'Missing: @biomejs/cli-android-arm64@2.6.8 from lock file';
  const unknown = 'Missing: @biomejs/cli-plan9-x64@ from lock file';

  it('returns true if the lock file lacks platforms that the registry has, or that it does not have', () => {
    expect(setup.lacksPlatforms(output(known), lockFile)).toBe(true);
    expect(setup.lacksPlatforms(output(unknown), lockFile)).toBe(true);
    expect(setup.lacksPlatforms(output(known, unknown), lockFile)).toBe(true);
  });

  it('returns false for every other complaint', () => {
    expect(setup.lacksPlatforms(output(known, 'Missing: fastify@5.12.7 from lock file'), lockFile)).toBe(false);
    expect(setup.lacksPlatforms(output(known, "Invalid: lock file's zod@4.6.7 does not satisfy zod@4.6.6"), lockFile)).toBe(
      false,
    );
    expect(setup.lacksPlatforms('npm error code ENOTFOUND', lockFile)).toBe(false);
  });
});

it('installEnvironment drops the variables of the outer npm script and node_modules/.bin from the PATH', () => {
  const environment = {
    PATH: '/w/node_modules/.bin:/usr/bin:/node_modules/.bin:/bin',
    npm_config_omit: 'dev',
    npm_config_registry: 'https://registry.example',
    npm_lifecycle_event: 'start',
    NODE_ENV: 'production',
    HOME: '/h',
  };
  expect(setup.installEnvironment(environment)).toEqual({
    PATH: '/usr/bin:/bin',
    npm_config_registry: 'https://registry.example',
    HOME: '/h',
  });
});

it('missingPrograms and programProblem name the programs that tests need', () => {
  const lack = (has: readonly string[], environment = {}): string =>
    setup.programProblem(setup.missingPrograms((program: string) => has.includes(program), environment));
  expect(lack(['java', 'mvn', 'google-chrome'])).toBe('');
  expect(lack(['mvn', 'chromium'], { JAVA_HOME: '/opt/java' })).toBe('');
  expect(lack(['java', 'chromium'])).toMatch(/^Maven was not found: .* Kafka broker .*\. On Debian: apt-get install maven$/);
  expect(lack(['mvn', 'chromium'])).toContain('Java 17 or newer');
  expect(
    lack([])
      .split('\n')
      .map((line) => line.split(' ')[0]),
  ).toEqual(['Java', 'Maven', 'Chromium']);
});
