// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration uses this syntax for variables
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pathOf } from '../../pipelines/aorta/cli/verbs/verb.ts';
import { sections } from '../../pipelines/aorta/config/schema.ts';
import { commands, leavesOf } from '../../pipelines/aorta/reference/cli.ts';
import { neededSections } from '../../pipelines/aorta/reference/needed-sections.ts';
import { aorta } from '../faults/command-line.ts';

const key = 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0';
const connection = `Endpoint=sb://127.0.0.1:1;SharedAccessKeyName=listen;SharedAccessKey=${key};UseDevelopmentEmulator=true`;

/** Variables of every section, with valid values. No server listens at these addresses. */
const local = {
  configuration: `
sources:
  - { type: files, name: export, paths: ["\${INCOMING}"] }
  - { type: webhook, listen: "127.0.0.1:0", secrets: ["\${WEBHOOK_SECRET}"] }
  - { type: event-hubs, connection: "\${HUBS_CONNECTION}" }
  - { type: kafka, brokers: ["127.0.0.1:1"], topics: [events], login: { user: u, password: "\${KAFKA_PASSWORD}" } }
  - { type: kafka, name: endpoint, connection: "\${KAFKA_CONNECTION}" }
service: { base_url: "http://127.0.0.1:1", key: "\${SERVICE_KEY}" }
routes: [{ prefix: "\${ROUTE}", stream: unrouted }]
redelivery_window:
  offsets: \${WINDOW}
limits:
  body_bytes: \${BODY}
streams: { type: local, folder: "\${STREAMS}" }
warehouse: { type: duckdb, path: "\${WAREHOUSE}", memory: "\${MEMORY}" }
privacy:
  identifiers: \${IDENTIFIERS}
historical_pulls: { notices: { webhook: "http://127.0.0.1:1", secret: "\${NOTICES_SECRET}" } }
health:
  port: \${HEALTH_PORT}
log: { level: "\${LEVEL}" }
`,
  environment: {
    INCOMING: './incoming',
    WEBHOOK_SECRET: `whsec_${key}`,
    HUBS_CONNECTION: `${connection};EntityPath=hub`,
    KAFKA_PASSWORD: 'p',
    KAFKA_CONNECTION: `Endpoint=sb://127.0.0.1;SharedAccessKeyName=listen;SharedAccessKey=${key};EntityPath=topic`,
    SERVICE_KEY: 'k',
    ROUTE: 'x.',
    WINDOW: '5',
    BODY: '1000000',
    STREAMS: './streams',
    WAREHOUSE: './health.duckdb',
    MEMORY: '1GB',
    IDENTIFIERS: 'true',
    NOTICES_SECRET: `whsec_${key}`,
    HEALTH_PORT: '0',
    LEVEL: 'silent',
  },
};

type Environment = Readonly<Record<string, string>>;
type Variable = keyof typeof local.environment;

const sources: Variable[] = ['INCOMING', 'WEBHOOK_SECRET', 'HUBS_CONNECTION', 'KAFKA_PASSWORD', 'KAFKA_CONNECTION'];
/** Variables without which a command cannot connect to a server. */
const remote: Variable[] = ['HUBS_CONNECTION', 'KAFKA_PASSWORD', 'KAFKA_CONNECTION', 'SERVICE_KEY'];
const service: Variable[] = ['SERVICE_KEY', 'NOTICES_SECRET'];
const intake: Variable[] = ['ROUTE', 'WINDOW', 'BODY'];
const tables: Variable[] = ['WAREHOUSE', 'MEMORY'];
const loading: Variable[] = [...intake, 'STREAMS', ...tables, 'IDENTIFIERS', 'LEVEL'];
const running: Variable[] = ['STREAMS', 'HEALTH_PORT', 'LEVEL'];
const all = Object.keys(local.environment) as Variable[];

/** Streams and tables on servers. An analyst has no access to the brokers; their operator has none to the warehouse. */
const shared = {
  configuration: `
sources: [{ type: webhook, listen: "127.0.0.1:0", secrets: ["whsec_${key}"] }]
streams:
  type: kafka
  brokers: ["127.0.0.1:1"]
  login: { user: u, password: "\${STREAMS_PASSWORD}" }
  registry: { url: "http://127.0.0.1:1", user: u, password: "\${REGISTRY_PASSWORD}" }
warehouse:
  type: bigquery
  project: "\${PROJECT}"
  dataset: d
  key_file: "\${KEY_FILE}"
  api_endpoint: "http://127.0.0.1:1"
  call_s: 1
  patience_s: 0.001
`,
  environment: { STREAMS_PASSWORD: 'p', REGISTRY_PASSWORD: 'p', PROJECT: 'p', KEY_FILE: 'key.json' },
};
const brokers = ['STREAMS_PASSWORD', 'REGISTRY_PASSWORD'];
const bigQuery = ['PROJECT', 'KEY_FILE'];

/** Each section has one variable, which has the name of the section. No variable is in the location of the data. */
const named = `
sources: [{ type: files, paths: ["\${sources}"] }]
service: { base_url: "http://127.0.0.1:1", key: "\${service}" }
routes: [{ prefix: "\${routes}", stream: unrouted }]
redelivery_window:
  offsets: \${redelivery_window}
limits:
  body_bytes: \${limits}
streams: { type: kafka, brokers: ["127.0.0.1:1"], login: { user: u, password: "\${streams}" } }
warehouse: { type: bigquery, project: "\${warehouse}", dataset: d }
privacy:
  identifiers: \${privacy}
preferences: { sleep: ["\${preferences}"] }
historical_pulls: { notices: { webhook: "http://127.0.0.1:1", secret: "\${historical_pulls}" } }
health:
  port: \${health}
log: { level: "\${log}" }
`;

/** The variables of the servers that each command needs. */
const needsOfServers: [string, string[]][] = [
  ['load events.jsonl --dry-run', [...brokers, ...bigQuery]],
  // Another type of warehouse replaces all settings of the configured one.
  ['load events.jsonl --dry-run --warehouse duckdb:w.duckdb', brokers],
  // The data folder holds the state of this process. The records and the tables stay on the servers.
  ['load events.jsonl --dry-run --data other', [...brokers, ...bigQuery]],
  ['run --dry-run --only ingestion', brokers],
  ['run --dry-run --only loading', [...brokers, ...bigQuery]],
  ['query SELECT', bigQuery],
  ['query SELECT --warehouse duckdb:w.duckdb', []],
  ['pulls', bigQuery],
  ['status --cost', bigQuery],
  ['streams --sources', []],
  ['schema', []],
];

/** The commands that would wait for the brokers. They are tested only without the variables of the brokers. */
const needsOfBrokers = ['streams', 'tail --once', 'dlq list', 'dlq show source/0/1', 'status', 'plan', 'apply'];

/** The variables that each command needs. A name with options is the same command with these options. */
const needs: Record<string, Variable[]> = {
  'load events.jsonl --dry-run': loading,
  'load events.jsonl --dry-run --data other': loading.filter((name) => name !== 'STREAMS' && name !== 'WAREHOUSE'),
  'run --dry-run': all,
  'run --dry-run --only ingestion': [...sources, ...intake, ...running],
  'run --dry-run --only enrichment': [...service, ...intake, ...running],
  'run --dry-run --only loading': [...tables, 'IDENTIFIERS', ...running],
  'run --dry-run --only ingestion --only enrichment': [...sources, ...service, ...intake, ...running],
  'backfill --user u --from 2026-01-01 --dry-run': ['SERVICE_KEY', ...loading],
  'query SELECT': [...tables, 'STREAMS'],
  'query SELECT --warehouse duckdb:other.duckdb': tables,
  'query SELECT --data other': ['MEMORY'],
  status: [...tables, 'STREAMS'],
  'status --completeness': tables,
  'status --cost': tables,
  pulls: [...tables, 'STREAMS'],
  'pulls --test-notice': ['NOTICES_SECRET'],
  streams: ['STREAMS'],
  'streams --sources': ['STREAMS'],
  'tail --once': ['STREAMS'],
  'dlq list': ['STREAMS'],
  'dlq show source/0/1': ['STREAMS'],
  validate: all,
  'validate --schema': [],
  plan: ['STREAMS', ...tables, 'IDENTIFIERS'],
  apply: ['STREAMS', ...tables, 'IDENTIFIERS'],
  doctor: all,
  schema: ['IDENTIFIERS'],
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-unset-'));
  writeFileSync(join(folder, 'aorta.yaml'), local.configuration);
  writeFileSync(join(folder, 'shared.yaml'), shared.configuration);
  writeFileSync(join(folder, 'named.yaml'), named);
  writeFileSync(join(folder, 'events.jsonl'), '{}\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

const wordsOf = (command: string): string[] => command.split(' ').map((word) => (word === 'SELECT' ? 'select 1' : word));

/** Returns the unset variables that a command reports as missing. */
async function reported(command: string, given: Environment, unset: readonly string[], file = 'aorta.yaml'): Promise<string[]> {
  const environment = Object.fromEntries(Object.entries(given).filter(([name]) => !unset.includes(name)));
  const { out, err } = await aorta(folder, [...wordsOf(command), '--config', file], '', environment);
  return Object.keys(given).filter(
    (name) =>
      err.includes(`environment variable ${name} is not set. [AORTA-CONFIG-VARIABLE]`) ||
      (command === 'doctor' && out.includes(`environment variable ${name} is not set.`)),
  );
}

test.each(Object.entries(needs))(
  'aorta %s needs the variables of the sections that it opens, and no others',
  async (command, needed) => {
    // These commands would wait for servers that do not answer.
    const also = command === 'status' || command === 'doctor' ? remote : [];
    for (const name of all) {
      const unset = [name, ...also];
      expect(await reported(command, local.environment, unset)).toEqual(
        all.filter((one) => unset.includes(one) && needed.includes(one)),
      );
    }
  },
);

test.each(needsOfServers)('aorta %s needs the variables of the servers that it opens, and no others', async (command, needed) => {
  for (const name of [...brokers, ...bigQuery])
    expect(await reported(command, shared.environment, [name], 'shared.yaml')).toEqual(needed.includes(name) ? [name] : []);
});

test.each(needsOfBrokers)('aorta %s needs the variables of the streams', async (command) => {
  for (const name of brokers) expect(await reported(command, shared.environment, [name], 'shared.yaml')).toEqual([name]);
});

test('aorta streams, tail and dlq do not need the variables of the warehouse', async () => {
  for (const command of ['streams', 'tail --once', 'dlq list', 'dlq show source/0/1'])
    expect(await reported(command, shared.environment, [...brokers, ...bigQuery], 'shared.yaml')).toEqual(brokers);
});

/** Returns a command line of the table above, with the arguments that the command needs. */
const lineOf = (command: string): string | undefined =>
  Object.keys(needs).find((line) => `aorta ${line} `.startsWith(`${command} `));

test.each(
  neededSections.flatMap(({ command, options = [''], needs: listed }) =>
    options.map((option) => [`${lineOf(command)} ${option}`.trim(), listed] as const),
  ),
)('aorta %s needs the sections that the reference lists', async (line, listed) => {
  const given = Object.fromEntries(sections.map((name) => [name, '']));
  expect(await reported(line, given, sections, 'named.yaml')).toEqual(sections.filter((name) => listed.includes(name)));
});

test('every command with a configuration is in the table above and in that of the reference', async () => {
  const configured = leavesOf(await commands()).filter(({ options }) => options.some(({ long }) => long === '--config'));
  for (const name of configured.map(pathOf)) {
    expect(lineOf(name), name).toBeDefined();
    expect(
      neededSections.map(({ command }) => command),
      name,
    ).toContain(name);
  }
});
