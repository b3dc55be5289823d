// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration uses this syntax for variables
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigurationRefused } from '../errors.ts';
import { readSetting, type SettingOptions } from './configuration.ts';
import type { Need } from './located-sections.ts';
import { type Section, sections } from './schema.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-sections-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(text: string, needs: readonly Need[], options: SettingOptions = {}) {
  writeFileSync(join(folder, 'aorta.yaml'), text);
  return readSetting(options, {}, folder, { needs });
}

/** Returns the problems of a configuration without values for its variables, as `FIELD: PROBLEM` or `$VARIABLE`. */
function problems(text: string, needs: readonly Need[], options: SettingOptions = {}): string[] {
  return thrownBy(() => read(text, needs, options)).map(({ details: { variable, field, problem } }) =>
    variable === undefined ? `${field}: ${problem}` : `$${variable}`,
  );
}

/** Returns the problems of the configuration for which `act` throws. */
function thrownBy(act: () => unknown): ConfigurationRefused['problems'] {
  try {
    act();
  } catch (error) {
    if (!(error instanceof ConfigurationRefused)) throw error;
    return error.problems;
  }
  return [];
}

const tables = ['warehouse', 'streams.folder'] as const;
const streams = ['streams'] as const;
const load = ['streams', 'warehouse'] as const;

describe('a section that a command does not need', () => {
  it('is still validated, also beside a variable that is not set', () => {
    expect(
      problems(
        `sources:
  - { type: event-hubs, connection: "\${SECRET}", hubz: [a], claim_s: none }
  - { type: kafk, topics: ["\${TOPIC}"] }
  - { type: kafka, brokers: ["\${BROKER}"], topics: [a], tls: { cert: "\${CERT}", caa: x } }
servce: {}
`,
        tables,
      ),
    ).toEqual([
      'sources[0].claim_s: this is a string, but must be a number',
      'sources[0].hubz: there is no such field',
      'sources[1].type: this is not one of the accepted values',
      'sources[2].tls.caa: there is no such field',
      'servce: there is no such field',
    ]);
  });

  it.each([
    // The connection string may name the hub.
    'sources: [{ type: event-hubs, connection: "${A}" }]',
    'sources: [{ type: "${A}", hubs: [b] }]',
    'sources: "${A}"',
    'sources: ["${A}"]',
    'sources: [{ type: files, name: "${A}", paths: [a] }, { type: files, name: "${A}", paths: [a] }]',
    'sources: [{ type: webhook, listen: "127.0.0.1:1", secrets: ["${A}"], trust_proxy: "${A}" }]',
    'service: { base_url: "${A}", key: k }',
    'historical_pulls: "${A}"',
    'health:\n  port: ${A}\n',
    'sources: [{ type: kafka, brokers: &b ["${A}"], topics: [a] }, { type: kafka, name: k, brokers: *b, topics: [a] }]',
  ])('is no error if only its variables are not set: %s', (text) => {
    expect(problems(text, tables)).toEqual([]);
    expect(new Set(problems(text, sections))).toEqual(new Set(['$A']));
  });

  it('may not give two sources one name, whatever their variables contain', () => {
    const source = '{ type: event-hubs, connection: "${A}", hubs: [a] }';
    expect(problems(`sources: [${source}, ${source}]`, tables)).toEqual([
      'sources[1].name: another source (sources[0]) has this name',
    ]);
  });

  it('throws when a command asks for it although its variables are not set', () => {
    const text = sections.map((section) => `${section}: ${withVariable[section](variableOf(section))}\n`).join('');
    const { configuration } = read(text, []) as unknown as { configuration: Record<Section, unknown> };
    for (const section of sections) {
      const variables = thrownBy(() => configuration[section]).map(({ details }) => details.variable);
      expect(variables).toEqual([section]);
    }
    expect(read('service: { base_url: "http://x", key: k }', []).readable.service).toMatchObject({ key: 'k' });
  });
});

describe('a section that a command can do without', () => {
  it('has the sources whose variables are set, and names the others', () => {
    const { readable, unread } = read(
      `sources:
  - { type: files, paths: [a] }
  - { type: event-hubs, connection: "\${A}" }
  - { type: kafka, name: second, brokers: ["\${A}"], topics: ["\${B}"] }
  - { type: kafka, name: "\${C}", brokers: [b:1], topics: [a] }
`,
      [],
    );
    expect(readable.sources).toMatchObject([{ name: 'files' }]);
    expect(unread.map(({ source, errors }) => [source, errors.map(({ details }) => details.variable)])).toEqual([
      ['event-hubs', ['A']],
      ['second', ['A', 'B']],
      ['sources[3]', ['C']],
    ]);
  });

  it('has no source that takes settings from streams that were not read', () => {
    const text = `streams: { type: kafka, brokers: ["\${A}"] }
sources: [{ type: webhook, listen: "127.0.0.1:1", secrets: [c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0] }]
`;
    const { readable, unread } = read(text, []);
    expect(readable).toMatchObject({ sources: [], streams: undefined });
    expect(unread.map(({ section, source }) => [section, source])).toEqual([
      ['sources', 'webhook'],
      ['streams', undefined],
    ]);
  });

  it('is undefined if one of its variables is not set', () => {
    const { readable, unread } = read('service: { base_url: "http://x", key: "${A}" }', []);
    expect([readable.service, unread.map(({ section }) => section)]).toEqual([undefined, ['service']]);
  });
});

describe('the location of the data', () => {
  const duckdb = 'warehouse: { type: duckdb, path: "${PATH}", memory: "${MEMORY}" }\n';
  const folderOfStreams = 'streams: { type: local, folder: "${FOLDER}" }\n';

  it.each([
    // By default, the streams are next to the warehouse.
    [duckdb, streams, {}, ['$PATH']],
    [duckdb, tables, {}, ['$PATH', '$MEMORY']],
    [duckdb, load, { warehouse: 'duckdb:other' }, ['$MEMORY']],
    [duckdb, load, { data: 'other' }, ['$MEMORY']],
    [duckdb, streams, { warehouse: 'duckdb:other' }, []],
    [duckdb, ['privacy'], {}, []],
    [duckdb + folderOfStreams, streams, {}, ['$FOLDER']],
    [duckdb + folderOfStreams, streams, { data: 'other' }, []],
    // The configured folder belongs to the configured warehouse, which may be the named one.
    [duckdb + folderOfStreams, streams, { warehouse: 'duckdb:other' }, ['$PATH', '$FOLDER']],
    [`warehouse: { type: duckdb, path: w }\n${folderOfStreams}`, streams, { warehouse: 'duckdb:other' }, []],
    [`warehouse: { type: duckdb, path: w }\n${folderOfStreams}`, streams, { warehouse: 'duckdb:w' }, ['$FOLDER']],
    ['warehouse: { type: "${TYPE}" }', streams, {}, ['$TYPE']],
    ['warehouse: { type: "${TYPE}" }', load, { warehouse: 'duckdb:other' }, ['$TYPE']],
    ['warehouse: { type: bigquery, project: "${PROJECT}", dataset: d }', streams, {}, []],
    ['warehouse: { type: bigquery, project: "${PROJECT}", dataset: d }', load, {}, ['$PROJECT']],
    ['warehouse: { type: bigquery, project: "${PROJECT}", dataset: d }', load, { data: 'other' }, ['$PROJECT']],
    ['warehouse: { type: bigquery, project: "${PROJECT}", dataset: d }', load, { warehouse: 'duckdb:other' }, []],
    ['streams: { type: kafka, brokers: ["${BROKER}"] }', tables, {}, []],
    ['streams: { type: kafka, brokers: ["${BROKER}"] }', streams, { data: 'other' }, ['$BROKER']],
  ] as [string, readonly Need[], SettingOptions, string[]][])(
    'needs the variables that determine it (case %#)',
    (text, needs, options, expected) => {
      expect(problems(text, needs, options)).toEqual(expected);
    },
  );

  it('does not depend on variables that the command does not need', () => {
    const text = 'warehouse: { type: duckdb, path: w.duckdb, memory: "${MEMORY}" }\nstreams: { type: local, folder: s }\n';
    expect(read(text, streams).place).toEqual({ streams: join(folder, 's'), warehouse: join(folder, 'w.duckdb') });
    expect(read(text.replace(/streams.*\n/, ''), streams).place.streams).toBe(join(folder, 'w.duckdb.streams'));
    const named = read(duckdb.replace(', memory: "${MEMORY}"', ''), load, { warehouse: 'duckdb:other.duckdb' });
    expect(named.place).toEqual({ streams: join(folder, 'other.duckdb.streams'), warehouse: join(folder, 'other.duckdb') });
  });
});

/** A valid value of each section with one variable, and the variable's value. */
const withVariable: Record<Section, (variable: string) => string> = {
  sources: (variable) => `[{ type: files, paths: [${variable}] }]`,
  service: (variable) => `{ base_url: "http://x", key: ${variable} }`,
  routes: (variable) => `[{ prefix: ${variable}, stream: unrouted }]`,
  redelivery_window: (variable) => `\n  offsets: ${variable}`,
  limits: (variable) => `\n  body_bytes: ${variable}`,
  streams: (variable) => `{ type: kafka, brokers: ["b:1"], login: { user: u, password: ${variable} } }`,
  warehouse: (variable) => `{ type: bigquery, project: p, dataset: d, key_file: ${variable} }`,
  privacy: (variable) => `\n  identifiers: ${variable}`,
  preferences: (variable) => `{ sleep: [${variable}] }`,
  historical_pulls: (variable) => `{ notices: { webhook: "http://x", authentication: { value: ${variable} } } }`,
  health: (variable) => `\n  port: ${variable}`,
  log: (variable) => `{ level: ${variable} }`,
};

/** Returns the variable of a section, in quotes if the section is written in one line. */
const variableOf = (name: Section): string => (withVariable[name]('X').startsWith('\n') ? `\${${name}}` : `"\${${name}}"`);

it('a command needs exactly the variables of the sections that it needs (property)', () => {
  fc.assert(
    fc.property(fc.subarray([...sections]), fc.subarray([...sections]), (needs, unset) => {
      const text = unset.map((name) => `${name}: ${withVariable[name](variableOf(name))}\n`).join('');
      expect(problems(text, needs)).toEqual(unset.filter((name) => needs.includes(name)).map((name) => `$${name}`));
    }),
  );
});
