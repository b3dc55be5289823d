import { cachedPython, pythonProblem } from '../../infra/machine/python.ts';
import type { ServerProblem } from '../../infra/machine/run.ts';

/** The DuckDB versions that read the published copy in tests: the oldest supported one, and the last one of each minor version. */
export const DUCKDB_VERSIONS = ['1.4.0', '1.4.5', '1.5.6', '2.0.1'] as const;

const USER = 'The test of DuckDB clients';

/**
 * Returns the path of a Python that has the package `duckdb` in this version, such as `1.4.0`. The first call of a version creates
 * a virtual environment in the cache. Rejects with `ServerProblem` if that fails.
 */
export function duckdbPython(version: string): Promise<string> {
  // Without pytz, DuckDB's Python package cannot return times with a time zone.
  return cachedPython({ name: `duckdb-${version}`, user: USER, requirements: `duckdb==${version}\npytz==2026.6\n` });
}

/** Returns the reason why the tests of DuckDB clients must be skipped, or undefined if this machine has a suitable Python. */
export function noDuckdbPython(): Promise<ServerProblem | undefined> {
  return pythonProblem(USER);
}
