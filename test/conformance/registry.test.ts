import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtIn } from '../../connectors/registry.ts';

/**
 * Checks that the registry, which every command loads, loads no client library. A client library is loaded with an
 * adapter's module, or when the adapter connects for the first time.
 */

const manifest = new URL('../../connectors/package.json', import.meta.url);
const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};
/** Dependencies that are not clients of a system. */
const others = ['zod', 'p-queue'];
const clients = Object.keys(dependencies).filter((name) => !others.includes(name) && !name.startsWith('@aorta/'));
const registry = pathToFileURL(join(import.meta.dirname, '../../connectors/registry.ts')).href;
const program = pathToFileURL(join(import.meta.dirname, '../../pipelines/aorta/bin/aorta.js')).href;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'registry-'));
  const sources = [
    '{ type: files, paths: [in] }',
    '{ type: event-hubs, namespace: example.servicebus.windows.net, hubs: [events] }',
    '{ type: kafka, brokers: ["localhost:9092"], topics: [events] }',
  ];
  writeFileSync(join(folder, 'aorta.yaml'), `sources:\n${sources.map((source) => `  - ${source}\n`).join('')}`);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the npm packages that a process loads when it runs this code with this command line. */
function packagesOf(code: string, words: readonly string[] = []): string[] {
  const observed = `
    import { registerHooks } from 'node:module';
    import { writeSync } from 'node:fs';
    const seen = new Set();
    registerHooks({
      load(url, context, next) {
        const name = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
        if (name !== undefined) seen.add(name);
        return next(url, context);
      },
    });
    process.on('exit', () => writeSync(1, '\\nloaded ' + [...seen].join(' ')));
    ${code}`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', observed, 'aorta', ...words], {
    cwd: folder,
    encoding: 'utf8',
  });
  return output.slice(output.lastIndexOf('\nloaded ') + '\nloaded '.length).split(' ');
}

test.each(['validate', 'run --dry-run'])('aorta %s loads no client library', (command) => {
  const packages = packagesOf(`await import('${program}');`, command.split(' '));
  expect(packages).toContain('zod');
  expect(packages.filter((name) => clients.includes(name))).toEqual([]);
});

test("a client library is loaded by an adapter's module or first connection, and not by the registry", () => {
  const ofModule = (type: string): string[] =>
    packagesOf(
      `const { builtIn } = await import('${registry}');
      await builtIn.sources.find((one) => one.type === '${type}')?.load();`,
    ).filter((name) => clients.includes(name));
  expect(ofModule('none')).toEqual([]);
  expect(ofModule('files')).toEqual([]);
  // kafkajs is not loaded until the first connection.
  expect(ofModule('kafka')).toEqual([]);
  expect(ofModule('event-hubs')).toContain('@azure/event-hubs');
});

test.each(builtIn.sources)(
  'the module of $type exports the functions that its adapter declares',
  async ({ knowsMembers, leavesClaims, load }) => {
    const { members, release } = await load();
    expect(members !== undefined).toBe(knowsMembers === true);
    expect(release !== undefined).toBe(leavesClaims !== undefined);
  },
);
