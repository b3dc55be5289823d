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
  return cachedPython({ name: `duckdb-${version}`, user: USER, requirements: requirementsOf(version) });
}

// Without pytz, DuckDB's Python package before 2.0 cannot return times with a time zone.
const requirementsOf = (version: string): string => `duckdb==${version}\npytz==2026.6\n`;

/** Packages for data frames, with all that they need. */
const DATA_PACKAGES = `numpy==2.4.6
pandas==3.1.1
polars==2.1.0
polars-runtime-32==2.1.0
pyarrow==26.0.1
python-dateutil==2.9.0.post0
six==1.17.0
`;

/** Returns the path of a Python like that of {@link duckdbPython}, which also has pandas, polars and Arrow. */
export function dataPython(version: string): Promise<string> {
  return cachedPython({ name: `duckdb-data-${version}`, user: USER, requirements: `${requirementsOf(version)}${DATA_PACKAGES}` });
}

/** Returns the reason why the tests of DuckDB clients must be skipped, or undefined if this machine has a suitable Python. */
export function noDuckdbPython(): Promise<ServerProblem | undefined> {
  return pythonProblem(USER);
}
