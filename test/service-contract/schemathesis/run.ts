import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/**
 * The tool's checks that apply. Two others do not. Requests in the documented form may be refused, because no schema describes
 * cursors and time zones. And `Allow` may name more methods than the document, because the service's paths overlap.
 */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'ignored_auth',
];

/** Largest number of random requests for each operation, in addition to the examples and the edge cases. A soak sends more. */
const MOST_EXAMPLES = 3 * Number(process.env.SOAK ?? 1);

interface Run {
  /** Folder for the tool's files. */
  readonly folder: string;
  readonly url: string;
  readonly key: string;
  readonly managementKey: string;
  readonly document: object;
  readonly configuration: string;
  /** PATH with the tool. */
  readonly path: string;
}

interface Result {
  readonly code: number | null;
  /** Output of the tool, which tells what fails and how to repeat it. */
  readonly output: string;
  readonly exchanges: readonly { readonly method: string; readonly url: string; readonly status: number }[];
}

/** Runs schemathesis with a fixed seed. Rejects with `ENOENT` if it is not installed. */
export async function runSchemathesis({ folder, url, key, managementKey, document, configuration, path }: Run): Promise<Result> {
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
  writeFileSync(join(folder, 'schemathesis.toml'), configuration);
  const words = [
    'run',
    'openapi.json',
    '--url',
    url,
    '--checks',
    checks.join(','),
    '--header',
    `x-service-api-key: ${key}`,
    '--header',
    `x-management-key: ${managementKey}`,
    '--generation-with-security-parameters',
    'false',
    '--generation-database',
    'none',
    '--seed',
    '1',
    '--max-examples',
    String(MOST_EXAMPLES),
    '--no-color',
    '--report',
    'har',
    '--report-dir',
    'report',
  ];
  const child = spawn('schemathesis', words, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PATH: path },
  });
  const [output, code] = await Promise.all([
    text(child.stdout),
    new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    }),
  ]);
  return { code, output, exchanges: exchangesOf(join(folder, 'report')) };
}

/** Returns the exchanges of the report; none if the tool did not start its requests. */
function exchangesOf(folder: string): Result['exchanges'] {
  const file = existsSync(folder) ? readdirSync(folder).find((name) => name.startsWith('har')) : undefined;
  if (file === undefined) return [];
  const { log } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
    log: { entries: { request: { method: string; url: string }; response: { status: number } }[] };
  };
  return log.entries.map(({ request: { method, url }, response: { status } }) => ({ method, url, status }));
}
