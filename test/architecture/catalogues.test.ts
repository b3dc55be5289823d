import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WarehouseAdapter } from '@aorta/connectors';
import { builtIn, composeRegistry } from '@aorta/connectors/registry';
import { compose, sharedLabels } from '@aorta/runtime';
import { expect, test } from 'vitest';
import {
  errorCatalogue,
  errorCatalogueOf,
  errorsByFolder,
  metricCatalogueOf,
  metricsByFolder,
} from '../../pipelines/aorta/catalogues.ts';
import { releasedErrors, releasedMetrics } from './released-names.ts';

const root = join(import.meta.dirname, '..', '..');

/** Source files by path, without their comments. Tests are left out: they make errors of any folder. */
const sources = new Map(
  globSync('{infra/runtime,connectors,pipelines}/**/*.ts', { cwd: root, exclude: (name) => name.includes('node_modules') })
    .filter((file) => !/\.(test|fixture|process)\.ts$|\/testing\//.test(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')]),
);

const folders = Object.keys(errorsByFolder(builtIn));
const metricCatalogue = metricCatalogueOf(builtIn);

/** What every folder may make, by the name of `AortaError`. */
const GENERAL = 'infra/runtime/errors/general.ts';
/** What every folder may count. */
const GENERAL_METRICS = 'infra/runtime/metrics/general.ts';

/** The class of errors that a file declares. */
const classOf = (file: string): string | undefined => /^export const (\w+) = errorsOf\(/m.exec(sources.get(file)!)?.[1];

/** The catalogue of metrics that a file declares. */
const metricsOf = (file: string): string | undefined =>
  /^export const (\w+) = \{[\s\S]*?^\} as const satisfies MetricCatalogue;/m.exec(sources.get(file)!)?.[1];

/** The innermost folder with a catalogue that a file is in. */
function folderOf(file: string): string | undefined {
  const within = folders.filter((folder) => file.startsWith(`${folder}/`));
  return within.sort((a, b) => b.length - a.length)[0];
}

/** Where a folder makes errors that another one declares, as `file: class`, and why. */
const foreignErrors: Readonly<Record<string, string>> = {
  'connectors/sources/kafka/dead-letter-topic.ts: KafkaError':
    'a topic that is missing is the same error for all who use the client',
  'connectors/sources/kafka/topics.ts: KafkaError': 'as above',
  'pipelines/enrichment/labs/catalogue.ts: ServiceError': 'pages by number are counted here, and may go round in a circle',
  'pipelines/enrichment/users/users.ts: ServiceError': 'as above',
  'pipelines/ingestion/backfill/pages.ts: ServiceError': 'as above',
};

test('every error code is released with its class, and none was changed or taken away', () => {
  const byClass = Object.groupBy(Object.entries(errorCatalogue), ([, entry]) => entry.class);
  const codes = Object.fromEntries(
    Object.entries(byClass).map(([name, entries]) => [name, entries.map(([code]) => code).sort()]),
  );
  const released = Object.fromEntries(Object.entries(releasedErrors).map(([name, own]) => [name, [...own].sort()]));
  expect(codes, 'a new code is added to released-names.ts').toEqual(released);
});

test('every metric is released with its type and labels, and none was changed or taken away', () => {
  const metrics = Object.entries(metricCatalogue).map(
    ([name, { type, labels }]) => `${type} ${name}(${Object.keys(labels).join(', ')})`,
  );
  expect(metrics.sort(), 'a new metric is added to released-names.ts').toEqual([...releasedMetrics].sort());
});

test('a name that two folders declare is refused', () => {
  expect(() => compose([{ a: 1 }, { b: 2 }, { a: 3 }])).toThrow(new RangeError('a is declared twice'));
  const [source] = builtIn.sources;
  const { aorta_job_records_total } = metricCatalogue;
  const clashing = composeRegistry({
    sources: [
      ...builtIn.sources,
      { ...source!, type: 'own', metrics: { aorta_job_records_total: { ...aorta_job_records_total! } } },
    ],
  });
  expect(() => metricCatalogueOf(clashing)).toThrow(new RangeError('aorta_job_records_total is declared twice'));
});

test('an adapter that wraps another one brings what that one brings', () => {
  const wrapping = composeRegistry({
    sources: builtIn.sources.flatMap((source) => [source, { ...source, type: `own-${source.type}` }]),
  });
  expect([errorCatalogueOf(wrapping), metricCatalogueOf(wrapping)]).toEqual([errorCatalogue, metricCatalogue]);
});

test('an adapter without errors of its own adds no catalogue', () => {
  const [{ errors: _, ...silent }] = builtIn.warehouses as [WarehouseAdapter];
  const composed = errorsByFolder(composeRegistry({ warehouses: [{ ...silent, type: 'silent' }] }));
  expect(Object.keys(composed).filter((folder) => folder.startsWith('connectors/warehouses'))).toEqual([]);
});

test('every catalogue of errors is composed', () => {
  const declaring = [...sources.keys()].filter((file) => classOf(file) !== undefined).map(dirname);
  expect(['infra/runtime', ...declaring].sort()).toEqual([...folders].sort());
});

/** Whether a file may make the errors of a folder although it is in another one: the interface of warehouses promises some. */
const implementsPromise = (file: string, owner: string | undefined): boolean =>
  owner === 'connectors' && file.startsWith('connectors/warehouses/');

test('a folder makes only errors that it declares, that its interface promises, or that every folder may make', () => {
  const owners = new Map([...sources.keys()].map((file) => [classOf(file), dirname(file)]));
  const foreign = [...sources].flatMap(([file, text]) =>
    [...new Set([...text.matchAll(/\bnew (\w+Error)\(/g)].map((match) => match[1]!))]
      .filter((name) => owners.has(name) && owners.get(name) !== folderOf(file) && !implementsPromise(file, owners.get(name)))
      .map((name) => `${file}: ${name}`),
  );
  expect(foreign.sort()).toEqual(Object.keys(foreignErrors).sort());
});

test('every error code is used, and every code in the source is declared', () => {
  const users = [...sources].filter(([file]) => file !== GENERAL && classOf(file) === undefined);
  const used = new Set(users.flatMap(([, text]) => [...text.matchAll(/'(AORTA(?:-[A-Z]+)+)'/g)].map((match) => match[1]!)));
  expect([...used].filter((code) => !(code in errorCatalogue))).toEqual([]);
  expect(Object.keys(errorCatalogue).filter((code) => !used.has(code))).toEqual([]);
});

test('every catalogue of metrics is composed', () => {
  const declaring = [...sources.keys()].filter((file) => metricsOf(file) !== undefined);
  const foldersOf = declaring.map((file) => (file === GENERAL_METRICS ? 'infra/runtime' : dirname(file)));
  expect(foldersOf.sort()).toEqual(Object.keys(metricsByFolder(builtIn)).sort());
});

test('every metric is counted', () => {
  const counting = [...sources].filter(([file]) => metricsOf(file) === undefined);
  const counted = new Set(counting.flatMap(([, text]) => [...text.matchAll(/'(aorta_[a-z_]+)'/g)].map((match) => match[1]!)));
  expect(Object.keys(metricCatalogue).filter((name) => !counted.has(name))).toEqual([]);
});

test('names of metrics are as Prometheus wants them: prefix, unit, _total for counters alone', () => {
  const wrong = Object.entries(metricCatalogue).filter(([name, { type, unit }]) => {
    const bare = type === 'counter' ? name.replace(/_total$/, '') : name;
    return (
      !/^aorta(_[a-z]+)+$/.test(name) ||
      (type === 'counter') !== name.endsWith('_total') ||
      (unit !== 'none' && !bare.endsWith(`_${unit}`)) ||
      (unit === 'none' && /_(seconds|bytes)$/.test(bare)) ||
      (type === 'histogram' && unit !== 'seconds')
    );
  });
  expect(wrong).toEqual([]);
});

test('a label means the same in every folder', () => {
  const meanings = Object.values(metricCatalogue).flatMap(({ labels }) => Object.entries(labels));
  const byLabel = Map.groupBy(meanings, ([label]) => label);
  expect([...byLabel].filter(([, all]) => new Set(all.map(([, meaning]) => meaning)).size > 1)).toEqual([]);
});

test('every shared label is used', () => {
  const used = new Set(Object.values(metricCatalogue).flatMap(({ labels }) => Object.keys(labels)));
  expect(Object.keys(sharedLabels).filter((label) => !used.has(label))).toEqual([]);
});
