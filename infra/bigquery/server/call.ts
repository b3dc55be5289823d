import type { CallKind } from '../fault-rules.ts';

/** A call, parsed from its method and path. */
export interface Call {
  readonly kind: CallKind;
  readonly method: string;
  /** Path and query, unchanged. */
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly project: string;
  readonly dataset: string;
  readonly table: string;
  readonly job: string;
}

const BASE = /^(\/upload)?(?:\/resumable\/upload)?\/bigquery\/v2\/projects\/([^/]+)(\/.*)?$/;

type Route = readonly [method: string, pattern: RegExp, kind: CallKind];

const ROUTES: readonly Route[] = [
  ['POST', /^\/queries$/, 'query'],
  ['GET', /^\/queries\/(?<job>[^/]+)$/, 'query-results'],
  ['POST', /^\/jobs$/, 'job-insert'],
  ['GET', /^\/jobs$/, 'job-list'],
  ['GET', /^\/jobs\/(?<job>[^/]+)$/, 'job-get'],
  ['POST', /^\/jobs\/(?<job>[^/]+)\/cancel$/, 'job-cancel'],
  ['GET', /^\/datasets$/, 'datasets-list'],
  ['POST', /^\/datasets$/, 'datasets-insert'],
  ['GET', /^\/datasets\/(?<dataset>[^/]+)$/, 'datasets-get'],
  ['PATCH', /^\/datasets\/(?<dataset>[^/]+)$/, 'datasets-patch'],
  ['PUT', /^\/datasets\/(?<dataset>[^/]+)$/, 'datasets-patch'],
  ['DELETE', /^\/datasets\/(?<dataset>[^/]+)$/, 'datasets-delete'],
  ['GET', /^\/datasets\/(?<dataset>[^/]+)\/tables$/, 'tables-list'],
  ['POST', /^\/datasets\/(?<dataset>[^/]+)\/tables$/, 'tables-insert'],
  ['GET', /^\/datasets\/(?<dataset>[^/]+)\/tables\/(?<table>[^/]+)$/, 'tables-get'],
  ['PATCH', /^\/datasets\/(?<dataset>[^/]+)\/tables\/(?<table>[^/]+)$/, 'tables-patch'],
  ['PUT', /^\/datasets\/(?<dataset>[^/]+)\/tables\/(?<table>[^/]+)$/, 'tables-patch'],
  ['DELETE', /^\/datasets\/(?<dataset>[^/]+)\/tables\/(?<table>[^/]+)$/, 'tables-delete'],
  ['GET', /^\/datasets\/(?<dataset>[^/]+)\/tables\/(?<table>[^/]+)\/data$/, 'table-data'],
  ['POST', /^\/datasets\/(?<dataset>[^/]+)\/tables\/(?<table>[^/]+)\/insertAll$/, 'table-data'],
];

export function callOf(method: string, path: string): Call {
  const { pathname, searchParams: parameters } = new URL(path, 'http://localhost');
  const [, upload, project = '', rest = ''] = BASE.exec(pathname) ?? [];
  const shared = { method, path, parameters, project: decodeURIComponent(project) };
  if (upload !== undefined) return { ...shared, kind: 'upload', dataset: '', table: '', job: '' };
  for (const [verb, pattern, kind] of ROUTES) {
    const found = verb === method ? pattern.exec(rest) : null;
    if (found === null) continue;
    const { dataset = '', table = '', job = '' } = found.groups ?? {};
    return {
      ...shared,
      kind,
      dataset: decodeURIComponent(dataset),
      table: decodeURIComponent(table),
      job: decodeURIComponent(job),
    };
  }
  return { ...shared, kind: 'other', dataset: '', table: '', job: '' };
}
