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

/**
 * Files that may read the system clock, which an operator or NTP may set at any time. Everything else uses `performance.now` or
 * `steadyNow`. Each file has a reason, and there are no others.
 */
const mayReadTheSystemClock: Readonly<Record<string, string>> = {
  'connectors/bigquery/reading/bigquery-reader.ts': 'costs of the last calendar days',
  'connectors/duckdb/module.ts': 'shows the age of the published copy, which is the time of a file',
  'connectors/duckdb/template.ts': 'stamps files in the cache when they are used, and compares their times',
  'connectors/event-hubs/checkpoints/blob-store.ts': 'epochs of claims begin at the time of day and only increase',
  'connectors/event-hubs/checkpoints/file-store.ts': 'the same; compares the times of drafts, which are files',
  'connectors/files/options.ts': 'refuses a stated time of receipt in the future',
  'connectors/files/source.ts': 'refuses files whose modification time is in the future',
  'connectors/kafka/client/member.process.ts': 'only tests run it',
  'connectors/kafka/client/security.ts': 'AWS states when a token expires, by the system clock',
  'connectors/kafka/source/module.ts': 'the age of a transaction is the time since its first record was stamped',
  'connectors/webhook/endpoint.ts': 'time of arrival; senders sign with the time of day',
  'infra/bigquery/server/quotas.ts': 'the server stamps jobs and tables',
  'infra/event-hubs/amqp-listener.ts': 'a token states when it expires',
  'infra/event-hubs/hub.ts': 'time at which a hub was created',
  'infra/event-hubs/partition-log.ts': 'the server stamps events',
  'infra/event-hubs/receive-link.ts': 'the server states when it read the metrics of a partition',
  'infra/event-hubs/sas.ts': 'a token states when it expires',
  'infra/machine/cache.ts': 'compares the time of a folder, whichever way the clock was set',
  'infra/machine/certificate.ts': 'dates of certificates',
  'infra/runtime/health/progress.ts': 'the lag is the time since a broker stamped a record',
  'infra/runtime/steady-clock.ts': 'converts times to the system clock',
  'infra/service/webhooks/http-sender.ts': 'receivers check the signed time of day',
  'pipelines/aorta/cli/printing/errors.ts': 'time of a log line',
  'pipelines/aorta/cli/verbs/backfill.ts': 'a backfill ends today by default',
  'pipelines/aorta/cli/verbs/demo.ts': 'the demo ends today or yesterday',
  'pipelines/aorta/cli/verbs/dev-webhook.ts': 'receivers check the signed time of day',
  'pipelines/aorta/cli/verbs/pulls.ts': 'a test notice states its time',
  'pipelines/aorta/cli/verbs/status.ts': 'shows the ages of what other processes reported',
  'pipelines/aorta/cli/verbs/streams.ts': 'shows the ages of what other processes reported',
  'pipelines/aorta/demo/period.ts': 'a demo must not end in the future',
  'pipelines/aorta/demo/service.process.ts': 'the demo continues at the time of day',
  'pipelines/aorta/report/worker-report.ts': 'a report states its time, and commands in other processes compare it with theirs',
  'pipelines/aorta/report/workers-text.ts': 'shows the date of a time that is not today',
  'pipelines/aorta/run/load.ts': 'refuses a stated time of receipt in the future',
  'pipelines/enrichment/historical-pulls/notices.ts': 'receivers check the signed time of day',
  'pipelines/ingestion/backfill/checkpoint.ts': 'offsets after a damaged checkpoint begin above all earlier ones',
  'pipelines/ingestion/paced-chain.ts': 'counts deliveries whose time of receipt is in the future',
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

/** Only a call without arguments reads the clock. */
const READS_SYSTEM_CLOCK = /\bDate\.now\b|\bnew Date\(\)|(?<!\bnew )\bDate\(\)/;

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

test('the program reads the system clock only to record or show a time, or to compare one that another process wrote', () => {
  const files = globSync('{schemas,pipelines,connectors,infra}/**/*.{ts,mjs,js}', {
    cwd: root,
    exclude: (name) => name.includes('node_modules'),
  }).filter((file) => !/\.(test|fixture)\.ts$|\/testing\//.test(file));
  expect(files.length).toBeGreaterThan(700);
  const lines = linesWith(READS_SYSTEM_CLOCK, files);
  const isListed = (line: string): boolean => Object.hasOwn(mayReadTheSystemClock, fileOf(line));
  expect(lines.filter((line) => !isListed(line))).toEqual([]);
  expect([...new Set(lines.map(fileOf))].sort(), 'the listed files').toEqual(Object.keys(mayReadTheSystemClock).sort());
});

test('all tests wait with the same helper', () => {
  const others = /\bexpect\.poll\b|\bvi\.wait(?:For|Until)\b|\bwhile \(.*\) (?:await )?(?:sleep\(|new Promise)/;
  expect(linesWith(others, withTestCode(tests))).toEqual([]);
});
