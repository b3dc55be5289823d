import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { filesOf, parts } from '../run/parts.ts';

const root = join(import.meta.dirname, '..', '..');

/** Everyday tests use these files, which may read the real clock. Each has a reason, and there are no others. */
const mayReadTheClock: Readonly<Record<string, string>> = {
  'infra/machine/goal.fixture.ts': 'measures the goals of the campaign',
  'test/architecture/clock.test.ts': 'contains the pattern of this rule',
  'test/bench/measure.ts': 'measures for the bench',
  'test/bench/peak-memory.ts': 'measures for the bench',
  'test/conformance/pull-board.ts': 'the warehouses compare the times of its pulls with their own clocks',
  'test/e2e/reference-service.test.ts': 'the virtual times of the service must be close to the real times of the hub',
  'test/faults/stage/bystander.ts': 'measures how busy the machine is for the campaign',
  'test/faults/webhook/service.ts': 'signs with the time that a receiver in another process checks',
  'test/run/results.ts': 'prints how long the tests took',
};

const campaign = new Set(Object.keys(parts).flatMap(filesOf));
const tests = globSync('{schemas,pipelines,connectors,infra,test}/**/*.test.ts', {
  cwd: root,
  exclude: (name) => name.includes('node_modules'),
}).filter((file) => !file.startsWith('test/real/'));
const everyday = tests.filter((file) => !campaign.has(file));

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');
/** Reports whether a file exists only for tests. */
const isTestCode = (file: string): boolean => file.startsWith('test/') || /\.(test|fixture|process)\.ts$|\/testing\//.test(file);

/** Returns the given test files and the test code that they import, directly or indirectly. */
function withTestCode(files: readonly string[]): string[] {
  const found = new Set(files);
  for (const file of found) {
    for (const [, specifier] of textOf(file).matchAll(/\bfrom '(\.[^'\n]+\.ts)'/g)) {
      const imported = join(dirname(file), specifier!);
      if (isTestCode(imported)) found.add(imported);
    }
  }
  return [...found];
}

/** Returns the lines of the files that match the pattern, as `FILE:LINE: TEXT`. Ignores comments. */
function linesWith(pattern: RegExp, files: readonly string[]): string[] {
  return files.flatMap((file) =>
    textOf(file)
      .split('\n')
      .flatMap((line, index) =>
        pattern.test(line.replace(/\/\/.*|^\s*\*.*/, '')) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
      ),
  );
}

const fileOf = (line: string): string => line.split(':')[0]!;

const READS_CLOCK =
  /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bhrtime\b|\b(?:memoryUsage|cpuUsage|resourceUsage|process\.uptime|loadavg)\b/;

test('everyday tests do not read the real clock, and measure neither memory nor CPU time', () => {
  const files = withTestCode(everyday);
  expect(files.length).toBeGreaterThan(everyday.length);
  const lines = linesWith(READS_CLOCK, files);
  const isListed = (line: string): boolean => Object.hasOwn(mayReadTheClock, fileOf(line));
  expect(lines.filter((line) => !isListed(line))).toEqual([]);
  expect([...new Set(lines.filter(isListed).map(fileOf))].sort(), 'the listed files').toEqual(
    Object.keys(mayReadTheClock).sort(),
  );
});

test('all tests wait with the same helper', () => {
  const others = /\bexpect\.poll\b|\bvi\.wait(?:For|Until)\b|\bwhile \(.*\) (?:await )?(?:sleep\(|new Promise)/;
  expect(linesWith(others, withTestCode(tests))).toEqual([]);
});
