// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration uses this syntax for variables
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtIn } from '@aorta/connectors/registry';
import { isAortaError } from '@aorta/runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigurationRefused } from '../errors.ts';
import { parseConfiguration, readSetting } from './configuration.ts';

function refused(text: string, environment: Record<string, string> = {}): string[] {
  try {
    parseConfiguration('aorta.yaml', text, environment);
  } catch (error) {
    if (error instanceof ConfigurationRefused) return error.problems.map(({ message, remedy }) => `${message} ${remedy}`);
    throw error;
  }
  return [];
}

describe('a valid configuration', () => {
  it('may be empty, because every field has a default', () => {
    const configuration = parseConfiguration('aorta.yaml', '', {});
    expect(configuration).toMatchObject({
      sources: [],
      streams: { type: 'local' },
      warehouse: { type: 'duckdb', path: 'aorta-data/warehouse.duckdb' },
    });
  });

  it('may use environment variables as strings and as numbers', () => {
    const text =
      'sources:\n  - type: files\n    name: ${NAME}\n    paths: ["${HOME}/a", ${B:-/b}]\nwarehouse:\n  type: duckdb\n  path: w\n  publish_every_s: ${EVERY}\n';
    const configuration = parseConfiguration('aorta.yaml', text.replace('${B:-/b}', '"${B:-/b}"'), {
      NAME: '12',
      HOME: '/h',
      EVERY: '7',
    });
    expect(configuration.sources[0]).toMatchObject({ name: '12', paths: ['/h/a', '/b'] });
    expect(configuration.warehouse).toMatchObject({ publish_every_s: 7 });
  });

  it('may use anchors and aliases', () => {
    const configuration = parseConfiguration(
      'aorta.yaml',
      'sources:\n  - { type: files, name: a, paths: &p [x] }\n  - { type: files, name: b, paths: *p }\n',
      {},
    );
    expect(configuration.sources).toMatchObject([{ paths: ['x'] }, { paths: ['x'] }]);
  });
});

describe('preferences', () => {
  it('name providers, source types or both', () => {
    // Some of these providers resemble a source type.
    const sources = ['oura/ring', 'phone', 'whoop', 'polar', 'kardia', 'omron', 'strava', 'wahoo', 'zwift', 'manual', 'dexcom'];
    const { preferences } = parseConfiguration('aorta.yaml', `preferences: { sleep: [${sources.join(', ')}] }`, {});
    expect(preferences).toEqual({ sleep: sources });
  });

  it('are refused if they name a source type that the service does not have', () => {
    const types = 'Source types are unknown, phone, watch, ';
    expect(refused('preferences:\n  sleep: [wach]\n  default: [oura/rng, Oura]\n  sleeps: []\n')).toEqual([
      expect.stringContaining(`aorta.yaml:2: preferences.sleep[0]: wach is not a source type. ${types}`),
      expect.stringContaining('aorta.yaml:3: preferences.default[1]: '),
      expect.stringMatching(/aorta.yaml:3: preferences.default\[0\]: rng is not a source type\. .* Example: oura\/ring/),
      expect.stringContaining('aorta.yaml:4: preferences.sleeps: there is no such field. Did you mean sleep?'),
    ]);
  });
});

/** The types of sources, as messages list them. */
const types = builtIn.sources.map(({ type }) => type).join(', ');

describe('an invalid configuration', () => {
  it('is refused with a list of all problems, each with its line, field and correction', () => {
    const text = [
      'sources:',
      '  - type: file',
      '  - type: files',
      '    pats: [a]',
      '    paths: [b]',
      '  - { type: files, paths: 3 }',
      'warehose: {}',
      'log: { level: inf }',
      'warehouse: { type: duckdb, path: "${PLACE}", memroy: 3 }',
    ].join('\n');
    expect(refused(text)).toEqual([
      `aorta.yaml:2: sources[0].type: this is not one of the accepted values. Did you mean files? The accepted values are ${types}.`,
      expect.stringMatching(
        /^aorta\.yaml:4: sources\[1\]\.pats: there is no such field\. Did you mean paths\? The fields here are .*paths/,
      ),
      'aorta.yaml:6: sources[2].paths: this is a number, but must be a list. Write it as [one, two], or with one line and a dash per entry.',
      expect.stringMatching(/^aorta\.yaml:7: warehose: there is no such field\. Did you mean warehouse\?/),
      'aorta.yaml:8: log.level: this is not one of the accepted values. Did you mean info? The accepted values are debug, info, warn, error, silent.',
      expect.stringMatching(/^aorta\.yaml:9: warehouse\.memroy: there is no such field\. Did you mean memory\?/),
      expect.stringMatching(/^aorta\.yaml:9: the environment variable PLACE is not set\. Set it/),
    ]);
  });

  it('is refused with the names of the missing required fields', () => {
    expect(refused('sources:\n  - type: files\n')).toEqual([
      'aorta.yaml:2: sources[0].paths: this field is required. It must be a list.',
    ]);
    expect(refused('sources:\n  - paths: [a]\n')).toEqual([
      `aorta.yaml:2: sources[0].type: this field is required. It must be one of ${types}.`,
    ]);
  });

  it.each([
    // The YAML library may report the error many lines after the unclosed bracket or quote.
    ['sources: [{ type: files, paths: [in] }\nlog: {}\nstreams: {}\n', '1:10', 'the bracket [ is'],
    ['log: {}\nsources:\n  - { type: files,\n      paths: [in }\nstreams: {}\n', '4:14', 'the bracket [ is'],
    ['log: {}\nwarehouse: { type: duckdb,\n\nstreams: {}\n', '2:12', 'the bracket { is'],
    ['log: {}\nwarehouse: {\n', '2:12', 'the bracket { is'],
    ['sources:\n  - type: files\n    name: "in\n    paths: [a]\nlog: {}\n', '3:11', 'the quote " is'],
    ["sources:\n  - name: 'in\nlog: {}\n", '2:11', "the quote ' is"],
  ])('is reported at the line where an unclosed bracket or quote opens: %j', (text, place, what) => {
    expect(refused(text)).toEqual([
      `aorta.yaml:${place}: this is not valid YAML (${what} opened here and never closed). Correct the line, then check the file with \`aorta validate\`.`,
    ]);
  });

  it('is refused with all problems up to an unclosed bracket', () => {
    const [tab, bracket, ...others] = refused('log:\n\tlevel: info\nsources: [\n');
    expect([tab, bracket, others]).toEqual([
      expect.stringContaining('aorta.yaml:2:1:'),
      expect.stringContaining('aorta.yaml:3:10: this is not valid YAML (the bracket ['),
      [],
    ]);
  });

  it('is refused with the line and the reason if it is not YAML', () => {
    expect(refused('log:\n\tlevel: info\n')).toEqual([
      expect.stringMatching(/^aorta\.yaml:2:1: this is not valid YAML \(a tab is used as indentation/),
    ]);
    expect(refused('log: {}\nlog: {}\n')).toEqual([expect.stringMatching(/^aorta\.yaml:2:1: .*the same key is here twice/)]);
    expect(refused('warehouse: { type: duckdb, path: ${X} }\n')).toEqual([
      expect.stringMatching(/^aorta\.yaml:1:\d+: .*needs quotes/),
    ]);
    expect(refused('- a\n')).toEqual([expect.stringMatching(/the file: this is a list, but must be an object/)]);
  });

  it('is reported without its values, because they may be secrets', () => {
    const secret = 'Zq81-secret';
    const texts = [
      `log: { level: ${secret} }`,
      'log: { level: "${S}" }',
      `sources: ${secret}`,
      `sources: [{ type: "${secret}" }]`,
      `log: "${secret}\\q"`,
      `warehouse: { type: duckdb, path: [${secret}] }`,
    ];
    for (const text of texts) {
      const said = refused(text, { S: secret });
      expect(said.length).toBeGreaterThan(0);
      expect(said.join('\n')).not.toContain(secret);
    }
  });

  it('is refused with the name of the field that contains a malformed variable', () => {
    expect(refused('warehouse: { type: duckdb, path: "${A B}" }')).toEqual([
      expect.stringMatching(/warehouse\.path: the text after \$\{ is not a variable/),
    ]);
  });
});

describe('the location of the data', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'aorta-configuration-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is ./aorta-data if there is no configuration file', () => {
    expect(readSetting({}, {}, folder)).toMatchObject({
      file: undefined,
      place: { streams: join(folder, 'aorta-data/streams'), warehouse: join(folder, 'aorta-data/warehouse.duckdb') },
    });
  });

  it('is next to a warehouse named with --warehouse, so that each warehouse has its own streams', () => {
    const { place } = readSetting({ warehouse: 'duckdb:x/a.duckdb' }, {}, folder);
    expect(place).toEqual({ warehouse: join(folder, 'x/a.duckdb'), streams: join(folder, 'x/a.duckdb.streams') });
  });

  it('is the data folder that contains the named warehouse', () => {
    mkdirSync(join(folder, 'd/streams'), { recursive: true });
    const { place } = readSetting({ warehouse: 'duckdb:d/warehouse.duckdb' }, {}, folder);
    expect(place.streams).toBe(join(folder, 'd/streams'));
    mkdirSync(join(folder, 'd/warehouse.duckdb.streams'));
    expect(readSetting({ warehouse: 'duckdb:d/warehouse.duckdb' }, {}, folder).place.streams).toBe(
      join(folder, 'd/warehouse.duckdb.streams'),
    );
  });

  it('is the folder named with --data', () => {
    expect(readSetting({ data: 'd' }, {}, folder).place).toEqual({
      streams: join(folder, 'd/streams'),
      warehouse: join(folder, 'd/warehouse.duckdb'),
    });
    expect(readSetting({ data: 'd', warehouse: 'duckdb:w' }, {}, folder).place).toEqual({
      streams: join(folder, 'd/streams'),
      warehouse: join(folder, 'w'),
    });
  });

  it('is relative to the folder of the configuration file', () => {
    mkdirSync(join(folder, 'etc'));
    writeFileSync(
      join(folder, 'etc/a.yaml'),
      'sources: [{ type: files, paths: [in] }]\nwarehouse: { type: duckdb, path: w.duckdb }\n',
    );
    const { place, configuration } = readSetting({ config: 'etc/a.yaml' }, {}, folder);
    expect(place).toEqual({ warehouse: join(folder, 'etc/w.duckdb'), streams: join(folder, 'etc/w.duckdb.streams') });
    expect(configuration.sources).toMatchObject([{ paths: [join(folder, 'etc/in')] }]);
    // If --warehouse names the configured warehouse, the configured streams are used. A different warehouse has its own
    // streams.
    expect(readSetting({ config: 'etc/a.yaml', warehouse: 'duckdb:etc/w.duckdb' }, {}, folder).place).toEqual(place);
    expect(readSetting({ config: 'etc/a.yaml', warehouse: 'duckdb:etc/v.duckdb' }, {}, folder).place.streams).toBe(
      join(folder, 'etc/v.duckdb.streams'),
    );
  });

  it('cannot be determined if --config names a missing file or --warehouse is invalid, and the error says what to do', () => {
    const code = (act: () => unknown) => {
      try {
        act();
      } catch (error) {
        return isAortaError(error) ? `${error.code} ${error.remedy}` : error;
      }
      return undefined;
    };
    expect(code(() => readSetting({ config: 'no.yaml' }, {}, folder))).toMatch(/^AORTA-CONFIG-NOT-FOUND/);
    expect(code(() => readSetting({ warehouse: 'a.duckdb' }, {}, folder))).toBe('AORTA-USAGE Write --warehouse duckdb:a.duckdb');
    expect(code(() => readSetting({ warehouse: 'bigquery:x' }, {}, folder))).toMatch(
      /^AORTA-USAGE Write --warehouse duckdb:PATH/,
    );
  });
});
