import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WarehouseAdapter } from '@aorta/connectors';
import { builtIn, composeRegistry } from '@aorta/connectors/registry';
import { compose, sharedLabels } from '@aorta/runtime';
import { refusals } from '@aorta/schemas';
import { expect, test } from 'vitest';
import {
  errorCatalogue,
  errorCatalogueOf,
  errorsByOwner,
  metricCatalogueOf,
  metricsByOwner,
} from '../../pipelines/aorta/catalogues.ts';
import { foldersOf, placedAdapters } from './adapter-folders.ts';
import { releasedErrors, releasedMetrics, releasedReasons } from './released-names.ts';

const root = join(import.meta.dirname, '..', '..');

/** Source texts by path, without comments. Tests are left out, because they may create the errors of any folder. */
const sources = new Map(
  globSync('{infra/runtime,connectors,pipelines}/**/*.ts', { cwd: root, exclude: (name) => name.includes('node_modules') })
    .filter((file) => !/\.(test|fixture|process)\.ts$|\/testing\//.test(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')]),
);

/** Returns the folder of a catalogue's owner. The owner is a folder, or names an adapter by its kind and type. */
const folderOfOwner = (owner: string): string =>
  placedAdapters.find(({ list, type }) => owner === `${list}/${type}`)?.folder ?? owner;
const folders = Object.keys(errorsByOwner(builtIn)).map(folderOfOwner);
const metricCatalogue = metricCatalogueOf(builtIn);

/** The file that declares the errors that every folder may create (`AortaError`). */
const GENERAL = 'infra/runtime/errors/general-errors.ts';
/** The file that declares the metrics that every folder may record. */
const GENERAL_METRICS = 'infra/runtime/metrics/general-metrics.ts';

/** Returns the name of the error class that a file declares. */
const classOf = (file: string): string | undefined => /^export const (\w+) = errorsOf\(/m.exec(sources.get(file)!)?.[1];

/** Returns the name of the metric catalogue that a file declares. */
const metricsOf = (file: string): string | undefined =>
  /^export const (\w+) = \{[\s\S]*?^\} as const satisfies MetricCatalogue;/m.exec(sources.get(file)!)?.[1];

/** Returns the innermost folder that contains the file and has a catalogue. */
function folderOf(file: string): string | undefined {
  const within = folders.filter((folder) => file.startsWith(`${folder}/`));
  return within.sort((a, b) => b.length - a.length)[0];
}

/** Reasons why some files may create errors of other folders, keyed by `file: class`. */
const foreignErrors: Readonly<Record<string, string>> = {
  'connectors/kafka/source/cluster.ts: KafkaError': 'a missing topic is the same error for every user of the client',
  'connectors/kafka/source/dead-letter-topic.ts: KafkaError': 'as above',
  'pipelines/enrichment/lab-catalogue.ts: ServiceError': 'this file reads numbered pages, and detects answers that never end',
  'pipelines/enrichment/users.ts: ServiceError': 'as above',
  'pipelines/ingestion/backfill/pages.ts: ServiceError': 'as above',
};

test('the error codes and their classes match the released names', () => {
  const byClass = Object.groupBy(Object.entries(errorCatalogue), ([, entry]) => entry.class);
  const codes = Object.fromEntries(
    Object.entries(byClass).map(([name, entries]) => [name, entries.map(([code]) => code).sort()]),
  );
  const released = Object.fromEntries(Object.entries(releasedErrors).map(([name, own]) => [name, [...own].sort()]));
  expect(codes, 'add a new code to released-names.ts').toEqual(released);
});

test('the metrics, their types and their labels match the released names', () => {
  const metrics = Object.entries(metricCatalogue).map(
    ([name, { type, labels }]) => `${type} ${name}(${Object.keys(labels).join(', ')})`,
  );
  expect(metrics.sort(), 'add a new metric to released-names.ts').toEqual([...releasedMetrics].sort());
});

test('the reasons of dead letters match the released names', () => {
  expect(Object.keys(refusals).sort(), 'add a new reason to released-names.ts').toEqual([...releasedReasons].sort());
});

test('composing catalogues fails if two folders declare the same name', () => {
  expect(() => compose([{ a: 1 }, { b: 2 }, { a: 3 }])).toThrow(new RangeError('a is declared twice'));
  const [source] = builtIn.sources;
  const { aorta_loading_records_total } = metricCatalogue;
  const clashing = composeRegistry({
    sources: [
      ...builtIn.sources,
      { ...source!, type: 'own', metrics: { aorta_loading_records_total: { ...aorta_loading_records_total! } } },
    ],
  });
  expect(() => metricCatalogueOf(clashing)).toThrow(new RangeError('aorta_loading_records_total is declared twice'));
});

test('an adapter that wraps another adapter may declare the same errors and metrics', () => {
  const wrapping = composeRegistry({
    sources: builtIn.sources.flatMap((source) => [source, { ...source, type: `own-${source.type}` }]),
  });
  expect([errorCatalogueOf(wrapping), metricCatalogueOf(wrapping)]).toEqual([errorCatalogue, metricCatalogue]);
});

test('an adapter that declares no errors adds no error catalogue', () => {
  const [{ errors: _, ...silent }] = builtIn.warehouses as [WarehouseAdapter];
  const composed = errorsByOwner(composeRegistry({ warehouses: [{ ...silent, type: 'silent' }] }));
  expect(Object.keys(composed).filter((owner) => owner.startsWith('warehouses/'))).toEqual([]);
});

test('the composed catalogue includes the errors of every folder', () => {
  const declaring = [...sources.keys()].filter((file) => classOf(file) !== undefined).map(dirname);
  expect(['infra/runtime', ...declaring].sort()).toEqual([...folders].sort());
});

/** True if a file may create another folder's errors because it implements an interface of that folder. Only warehouses do so. */
const implementsPromise = (file: string, owner: string | undefined): boolean =>
  owner === 'connectors' && foldersOf('warehouses').some((folder) => file.startsWith(`${folder}/`));

test('a folder creates only general errors, its own errors and the errors that its interface declares', () => {
  const owners = new Map([...sources.keys()].map((file) => [classOf(file), dirname(file)]));
  const foreign = [...sources].flatMap(([file, text]) =>
    [...new Set([...text.matchAll(/\bnew (\w+Error)\(/g)].map((match) => match[1]!))]
      .filter((name) => owners.has(name) && owners.get(name) !== folderOf(file) && !implementsPromise(file, owners.get(name)))
      .map((name) => `${file}: ${name}`),
  );
  expect(foreign.sort()).toEqual(Object.keys(foreignErrors).sort());
});

test('the code uses exactly the declared error codes', () => {
  const users = [...sources].filter(([file]) => file !== GENERAL && classOf(file) === undefined);
  const used = new Set(users.flatMap(([, text]) => [...text.matchAll(/'(AORTA(?:-[A-Z]+)+)'/g)].map((match) => match[1]!)));
  expect([...used].filter((code) => !(code in errorCatalogue))).toEqual([]);
  expect(Object.keys(errorCatalogue).filter((code) => !used.has(code))).toEqual([]);
});

test('the composed catalogue includes the metrics of every folder', () => {
  const declaring = [...sources.keys()].filter((file) => metricsOf(file) !== undefined);
  const foldersOf = declaring.map((file) => (file === GENERAL_METRICS ? 'infra/runtime' : dirname(file)));
  expect(foldersOf.sort()).toEqual(Object.keys(metricsByOwner(builtIn)).map(folderOfOwner).sort());
});

test('the code records every declared metric', () => {
  const counting = [...sources].filter(([file]) => metricsOf(file) === undefined);
  const counted = new Set(counting.flatMap(([, text]) => [...text.matchAll(/'(aorta_[a-z_]+)'/g)].map((match) => match[1]!)));
  expect(Object.keys(metricCatalogue).filter((name) => !counted.has(name))).toEqual([]);
});

test('metric names follow the Prometheus rules for the prefix, the unit and _total', () => {
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

test('a label has the same meaning in every folder', () => {
  const meanings = Object.values(metricCatalogue).flatMap(({ labels }) => Object.entries(labels));
  const byLabel = Map.groupBy(meanings, ([label]) => label);
  expect([...byLabel].filter(([, all]) => new Set(all.map(([, meaning]) => meaning)).size > 1)).toEqual([]);
});

test('at least one metric uses each shared label', () => {
  const used = new Set(Object.values(metricCatalogue).flatMap(({ labels }) => Object.keys(labels)));
  expect(Object.keys(sharedLabels).filter((label) => !used.has(label))).toEqual([]);
});
