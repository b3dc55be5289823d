import { createHash } from 'node:crypto';
import { duplicate, notFound, ServiceError } from './service-error.ts';
import type { Json, Upstream } from './upstream.ts';

/** Matches the emulator's internal datasets for query results, which clients must not see. */
const HIDDEN = /^_/;

/** The datasets. The emulator stores their names, and this server stores their metadata. */
export class Datasets {
  readonly #upstream: Upstream;
  readonly #project: string;
  readonly #kept = new Map<string, Json>();

  constructor(upstream: Upstream, project: string) {
    this.#upstream = upstream;
    this.#project = project;
  }

  has(dataset: string): boolean {
    return this.#kept.has(dataset);
  }

  /** Returns a dataset's resource. Throws {@link ServiceError} if the dataset does not exist or is not in the given location. */
  get(dataset: string, location?: string): Json {
    const kept = this.#kept.get(dataset);
    const where = location === undefined ? '' : ` was not found in location ${location}`;
    if (kept === undefined || (location !== undefined && kept.location.toUpperCase() !== location.toUpperCase()))
      throw notFound(`Dataset ${this.#project}:${dataset}${where}`);
    return { ...kept, etag: etagOf(kept) };
  }

  list(): Json {
    const datasets = [...this.#kept.values()].map(({ id, datasetReference, location, labels }) => ({
      kind: 'bigquery#dataset',
      id,
      datasetReference,
      location,
      labels,
    }));
    return { kind: 'bigquery#datasetList', datasets };
  }

  async insert(body: Json, now: number): Promise<Json> {
    const { datasetId } = body.datasetReference ?? {};
    if (!/^\w{1,1024}$/.test(datasetId ?? '')) throw new ServiceError('invalid', `Invalid dataset ID "${datasetId}".`);
    if (this.#kept.has(datasetId)) throw duplicate(`Dataset ${this.#project}:${datasetId}`);
    await this.#upstream.done('POST', '/datasets', { datasetReference: { projectId: this.#project, datasetId } });
    return this.adopt(datasetId, now, body);
  }

  /** Adds a dataset that a statement created in the emulator. */
  adopt(datasetId: string, now: number, body: Json = {}): Json {
    const kept = {
      kind: 'bigquery#dataset',
      id: `${this.#project}:${datasetId}`,
      location: 'US',
      creationTime: String(now),
      ...present(body),
      datasetReference: { projectId: this.#project, datasetId },
      lastModifiedTime: String(now),
    };
    if (!HIDDEN.test(datasetId)) this.#kept.set(datasetId, kept);
    return this.get(datasetId);
  }

  patch(dataset: string, body: Json, now: number): Json {
    const { etag: _, ...before } = this.get(dataset);
    const { etag: _ignored, ...changes } = body;
    this.#kept.set(dataset, present({ ...before, ...changes, lastModifiedTime: String(now) }));
    return this.get(dataset);
  }

  async delete(dataset: string, contents: boolean, tables: number): Promise<void> {
    this.get(dataset);
    if (tables > 0 && !contents) throw new ServiceError('resourceInUse', `Dataset ${this.#project}:${dataset} is still in use`);
    await this.#upstream.done('DELETE', `/datasets/${dataset}?deleteContents=true`);
    this.#kept.delete(dataset);
  }

  forget(dataset: string): void {
    this.#kept.delete(dataset);
  }
}

/** Returns a resource without null members, because clients write null to remove a member. */
export function present(resource: Json): Json {
  return Object.fromEntries(Object.entries(resource).filter(([, value]) => value !== null && value !== undefined));
}

export function etagOf(resource: Json): string {
  return createHash('sha256').update(JSON.stringify(resource)).digest('base64').slice(0, 22);
}
