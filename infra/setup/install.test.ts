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

it('lacksPlatforms returns true only if npm misses nothing but optional dependencies of locked packages', () => {
  const lockFile = JSON.stringify({
    packages: {
      '': { dependencies: { '@x/y': '1.2.3' } },
      'node_modules/@x/y': { optionalDependencies: { '@x/y-darwin-arm64': '1.2.3', 'y-win': '1.2.3' } },
    },
  });
  const missing = (name: string) => `npm error code EUSAGE\nnpm error\nnpm error Missing: ${name} from lock file\n`;
  expect(setup.lacksPlatforms(missing('@x/y-darwin-arm64@'), lockFile)).toBe(true);
  expect(setup.lacksPlatforms(missing('@x/y-darwin-arm64@1.2.3') + missing('y-win@1.2.3'), lockFile)).toBe(true);
  expect(setup.lacksPlatforms(missing('@x/y-darwin-arm64@') + missing('z@1.2.3'), lockFile)).toBe(false);
  expect(setup.lacksPlatforms("npm error Invalid: lock file's y-win@1.0.0 does not satisfy y-win@1.2.3", lockFile)).toBe(false);
  expect(setup.lacksPlatforms('npm error code ENOTFOUND', lockFile)).toBe(false);
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

it('brokerProblem names the missing programs that the Kafka tests need', () => {
  const has =
    (...programs: string[]) =>
    (program: string) =>
      programs.includes(program);
  expect(setup.brokerProblem(has('java', 'mvn'))).toBeUndefined();
  expect(setup.brokerProblem(has('mvn'), { JAVA_HOME: '/opt/java' })).toBeUndefined();
  expect(setup.brokerProblem(has('java'))).toMatch(/^Maven was not found\. .* apt-get install maven$/);
  expect(setup.brokerProblem(has())).toMatch(/^Java and Maven were not found\. .* openjdk-17-jre-headless maven$/);
});
