// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration uses this syntax for variables
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigurationRefused, readSetting, type SettingOptions } from './configuration.ts';
import { everySection, type Reading, type Section, sections } from './schema.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-sections-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(text: string, reads: Reading, options: SettingOptions = {}) {
  writeFileSync(join(folder, 'aorta.yaml'), text);
  return readSetting(options, {}, folder, { reads });
}

/** Returns the problems of a configuration without values for its variables, as `FIELD: PROBLEM` or `$VARIABLE`. */
function problems(text: string, reads: Reading, options: SettingOptions = {}): string[] {
  try {
    read(text, reads, options);
  } catch (error) {
    if (!(error instanceof ConfigurationRefused)) throw error;
    return error.problems.map(({ details: { variable, field, problem } }) =>
      variable === undefined ? `${field}: ${problem}` : `$${variable}`,
    );
  }
  return [];
}

const tables = { opens: ['warehouse'], shows: ['streams'] } as const satisfies Reading;
const streams = { opens: ['streams'] } as const satisfies Reading;
const load = { opens: ['streams', 'warehouse'] } as const satisfies Reading;

describe('a section that a command does not read', () => {
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
    expect(new Set(problems(text, everySection))).toEqual(new Set(['$A']));
  });

  it('may not give two sources one name, whatever their variables contain', () => {
    const source = '{ type: event-hubs, connection: "${A}", hubs: [a] }';
    expect(problems(`sources: [${source}, ${source}]`, tables)).toEqual([
      'sources[1].name: another source (sources[0]) has this name',
    ]);
  });

  it('cannot be used by mistake', () => {
    const { configuration } = read('service: { base_url: "http://x", key: k }', tables) as unknown as {
      configuration: Record<Section, unknown>;
    };
    expect(configuration.streams).toEqual({ type: 'local' });
    for (const section of sections.filter((one) => one !== 'warehouse' && one !== 'streams'))
      expect(() => configuration[section]).toThrow(`section ${section} was not read`);
  });
});

describe('a section that a command shows', () => {
  it('has the sources whose variables are set, and names the others', () => {
    const { configuration, unread } = read(
      `sources:
  - { type: files, paths: [a] }
  - { type: event-hubs, connection: "\${A}" }
  - { type: kafka, name: second, brokers: ["\${A}"], topics: ["\${B}"] }
  - { type: kafka, name: "\${C}", brokers: [b:1], topics: [a] }
`,
      { opens: [], shows: ['sources'] },
    );
    expect(configuration.sources).toMatchObject([{ name: 'files' }]);
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
    const { configuration, unread } = read(text, { opens: [], shows: ['sources', 'streams'] });
    expect(configuration).toMatchObject({ sources: [], streams: undefined });
    expect(unread.map(({ section, source }) => [section, source])).toEqual([
      ['sources', 'webhook'],
      ['streams', undefined],
    ]);
  });

  it('is undefined if one of its variables is not set', () => {
    const { configuration, unread } = read('service: { base_url: "http://x", key: "${A}" }', { opens: [], shows: ['service'] });
    expect([configuration.service, unread.map(({ section }) => section)]).toEqual([undefined, ['service']]);
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
    [duckdb, { opens: ['privacy'] }, {}, []],
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
  ] as [string, Reading, SettingOptions, string[]][])(
    'needs the variables that determine it (case %#)',
    (text, reads, options, expected) => {
      expect(problems(text, reads, options)).toEqual(expected);
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

it('a command needs exactly the variables of the sections that it opens (property)', () => {
  fc.assert(
    fc.property(fc.subarray([...sections]), fc.subarray([...sections]), fc.subarray([...sections]), (opens, shows, unset) => {
      const text = unset
        .map((name) => {
          const variable = withVariable[name]('X').startsWith('\n') ? `\${${name}}` : `"\${${name}}"`;
          return `${name}: ${withVariable[name](variable)}\n`;
        })
        .join('');
      expect(problems(text, { opens, shows })).toEqual(unset.filter((name) => opens.includes(name)).map((name) => `$${name}`));
    }),
  );
});
