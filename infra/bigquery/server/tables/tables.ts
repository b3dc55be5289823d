import type { Definition } from '../../sql/definition.ts';
import { type Datasets, etagOf, present } from '../datasets.ts';
import type { Clock, QuotaCount } from '../quotas.ts';
import { duplicate, invalid, notFound, ServiceError } from '../service-error.ts';
import type { Json, Upstream } from '../upstream.ts';
import { type Field, forEmulator, modeOf, normalised, typeOf } from './field.ts';
import { schemaChange } from './schema-change.ts';
import { type TableName, TableSizes } from './table-sizes.ts';

const DAY_MS = 86_400_000;
/** The members of a table's resource that this server stores. */
const KEPT = [
  'schema',
  'timePartitioning',
  'rangePartitioning',
  'requirePartitionFilter',
  'clustering',
  'labels',
  'description',
  'friendlyName',
  'expirationTime',
  'tableConstraints',
  'defaultCollation',
  'maxStaleness',
  'view',
] as const;

export const keyOf = ({ dataset, table }: TableName): string => `${dataset}.${table}`;
const pathOf = ({ dataset, table }: TableName): string => `/datasets/${dataset}/tables/${table}`;

export interface TablesOptions {
  readonly upstream: Upstream;
  readonly project: string;
  readonly datasets: Datasets;
  readonly clock: Clock;
  readonly quotas: QuotaCount;
}

const pickDescription = (field: Field | undefined): Pick<Field, 'description'> =>
  field?.description === undefined ? {} : { description: field.description };

/** The tables and views. The emulator stores their rows, and this server stores their metadata. */
export class Tables {
  readonly sizes: TableSizes;
  readonly #upstream: Upstream;
  readonly #project: string;
  readonly #datasets: Datasets;
  readonly #clock: Clock;
  readonly #quotas: QuotaCount;
  readonly #kept = new Map<string, Json>();

  constructor({ upstream, project, datasets, clock, quotas }: TablesOptions) {
    this.#upstream = upstream;
    this.#project = project;
    this.#datasets = datasets;
    this.#clock = clock;
    this.#quotas = quotas;
    this.sizes = new TableSizes(upstream, project);
  }

  /** Returns a table's name in the format of BigQuery's messages. */
  full({ dataset, table }: TableName): string {
    return `${this.#project}:${dataset}.${table}`;
  }

  /** Returns the metadata that this server stores for a table; undefined if the table does not exist. */
  kept(name: TableName): Json | undefined {
    return this.#kept.get(keyOf(name));
  }

  /** Returns a table's whole resource. Rejects with {@link ServiceError} if the table does not exist. */
  async get(name: TableName): Promise<Json> {
    const kept = this.kept(name);
    if (kept === undefined) throw this.#missing(name);
    const size = kept.type === 'VIEW' ? undefined : await this.sizes.of(name, kept);
    const sizes =
      size === undefined
        ? {}
        : { numRows: String(size.rows), numBytes: String(size.bytes), numTotalLogicalBytes: String(size.bytes) };
    return { ...kept, ...sizes, etag: etagOf(kept) };
  }

  list(dataset: string, parameters: URLSearchParams): Json {
    this.#datasets.get(dataset);
    const all = [...this.#kept.values()].filter(({ tableReference }) => tableReference.datasetId === dataset);
    const from = Number(parameters.get('pageToken') ?? 0);
    const count = Number(parameters.get('maxResults') ?? 1000);
    const tables = all.slice(from, from + count).map((kept) => ({
      kind: 'bigquery#table',
      ...present(
        Object.fromEntries(
          ['id', 'tableReference', 'type', 'labels', 'timePartitioning', 'clustering', 'creationTime', 'expirationTime'].map(
            (member) => [member, kept[member]],
          ),
        ),
      ),
      ...(kept.view === undefined ? {} : { view: { useLegacySql: false } }),
    }));
    const more = from + count < all.length ? { nextPageToken: String(from + count) } : {};
    return { kind: 'bigquery#tableList', tables, totalItems: all.length, ...more };
  }

  async insert(dataset: string, body: Json): Promise<Json> {
    this.#datasets.get(dataset);
    const { tableId: table = '' } = body.tableReference ?? {};
    if (!/^[\p{L}\p{N}_ -]{1,1024}$/u.test(table)) throw invalid(`Invalid table ID "${table}".`);
    const name = { dataset, table };
    if (this.kept(name) !== undefined) throw duplicate(`Table ${this.full(name)}`);
    const said = present(body);
    const { expirationTime } = said;
    if (expirationTime !== undefined && Number(expirationTime) !== 0 && Number(expirationTime) <= this.#clock.now)
      throw invalid('Invalid value for expirationTime: the time has to be in the future.');
    checkFields(said.schema?.fields ?? []);
    if (said.view !== undefined) {
      await this.#makeView(name, said.view.query, false);
      // The columns of a new view have no descriptions, even if the request has them.
      delete said.schema;
    } else {
      const { fields = [] } = said.schema ?? {};
      const reference = { projectId: this.#project, datasetId: dataset, tableId: table };
      await this.#upstream.done('POST', `/datasets/${dataset}/tables`, {
        tableReference: reference,
        schema: { fields: forEmulator(fields) },
      });
    }
    await this.#keep(name, said);
    this.sizes.made(name);
    return this.get(name);
  }

  async patch(name: TableName, body: Json, etag: string | undefined, whole: boolean): Promise<Json> {
    const kept = this.kept(name);
    if (kept === undefined) throw this.#missing(name);
    if (etag !== undefined && etag !== etagOf(kept))
      throw new ServiceError('conditionNotMet', `Precondition check failed for table ${this.full(name)}.`);
    this.#quotas.metadataUpdate(keyOf(name), this.#clock.now);
    const { etag: _, ...changes } = body;
    if (changes.view?.query !== undefined) {
      await this.#makeView(name, changes.view.query, true);
      changes.schema ??= { fields: await this.#upstreamFields(name) };
    } else if (changes.schema?.fields !== undefined) await this.changeSchema(name, changes.schema.fields);
    const { schema: _schema, ...others } = changes;
    const after = changes.view === undefined ? others : changes;
    const base = whole
      ? Object.fromEntries(Object.entries(kept).filter(([member]) => member === 'schema' || !KEPT.some((one) => one === member)))
      : kept;
    if (whole) base.schema = this.kept(name).schema;
    const never = Number(after.expirationTime) === 0 ? { expirationTime: null } : {};
    const current = whole ? base : { ...base, schema: this.kept(name).schema };
    this.#kept.set(
      keyOf(name),
      present({ ...current, ...merged(current, after), ...never, lastModifiedTime: String(this.#clock.now) }),
    );
    return this.get(name);
  }

  /** Changes a table's columns in this server and in the emulator. With `partial`, columns that are not named stay. */
  async changeSchema(name: TableName, fields: readonly Field[], partial = false): Promise<void> {
    const kept = this.kept(name);
    const change = schemaChange(this.full(name), kept.schema?.fields ?? [], fields, partial);
    if (kept.type === 'VIEW') {
      if (change.statements.length > 0) throw invalid(`Provided Schema does not match Table ${this.full(name)}.`);
      this.#kept.set(keyOf(name), { ...kept, schema: { fields: change.fields } });
      return;
    }
    for (const statement of change.statements)
      await this.#upstream.rows(`ALTER TABLE \`${this.#project}.${name.dataset}.${name.table}\` ${statement}`);
    await this.#setFields(name, change.fields);
  }

  async delete(name: TableName): Promise<void> {
    const kept = this.kept(name);
    if (kept === undefined) throw this.#missing(name);
    const what = kept.type === 'VIEW' ? 'VIEW' : 'TABLE';
    if (what === 'VIEW') await this.#upstream.rows(`DROP VIEW IF EXISTS \`${this.#project}.${name.dataset}.${name.table}\``);
    else await this.#upstream.done('DELETE', pathOf(name));
    this.forget(name);
  }

  forget(name: TableName): void {
    this.#kept.delete(keyOf(name));
    this.sizes.forget(name);
  }

  /** Applies a DDL statement to the metadata. If the emulator also runs the statement, `follow` is called afterwards. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one case for each statement and each option of BigQuery
  async follow(name: TableName, definition: Definition, text: string): Promise<void> {
    if (definition.kind === 'drop') this.forget(name);
    else if (definition.kind === 'create') {
      const existed = this.kept(name) !== undefined;
      if (existed && definition.ifNotExists) return;
      const fields = definition.columns ?? (await this.#upstreamFields(name));
      if (!this.#datasets.has(name.dataset)) this.#datasets.adopt(name.dataset, this.#clock.now);
      const query = definition.query === undefined ? '' : text.slice(definition.query.start, definition.query.end);
      const view = definition.what === 'view' ? { view: { query } } : {};
      this.sizes.forget(name);
      await this.#keep(name, { schema: { fields }, ...view, ...definition.members });
    } else {
      const kept = this.kept(name);
      if (kept === undefined) return;
      let fields: readonly Field[] = kept.schema?.fields ?? [];
      for (const change of definition.columns) {
        if (change.kind === 'add' && !fields.some((field) => same(field.name, change.field.name)))
          fields = [...fields, change.field];
        if (change.kind === 'drop') fields = fields.filter((field) => !same(field.name, change.name));
        if (change.kind === 'relax')
          fields = fields.map((field) => (same(field.name, change.name) ? { ...field, mode: 'NULLABLE' } : field));
        if (change.kind === 'type')
          fields = fields.map((field) =>
            same(field.name, change.field.name) ? { ...field, ...change.field, name: field.name, mode: modeOf(field) } : field,
          );
      }
      if (definition.columns.length > 0) await this.#setFields(name, normalised(fields));
      const current = this.kept(name);
      this.#kept.set(
        keyOf(name),
        present({ ...current, ...merged(current, definition.members), lastModifiedTime: String(this.#clock.now) }),
      );
    }
  }

  /** Adds or updates the metadata of a table that a BigQuery job created or replaced in the emulator. */
  async adopt(name: TableName): Promise<void> {
    this.sizes.changed(name);
    const kept = this.kept(name);
    const fields = await this.#upstreamFields(name);
    if (kept === undefined) await this.#keep(name, { schema: { fields } });
    else if (fields.map((field) => field.name).join() !== (kept.schema?.fields ?? []).map((field: Field) => field.name).join())
      this.#kept.set(keyOf(name), { ...kept, schema: { fields } });
  }

  /** Deletes expired tables and the rows of expired partitions, according to the server's clock. */
  async expire(): Promise<void> {
    const { now } = this.#clock;
    for (const kept of [...this.#kept.values()]) {
      const { datasetId: dataset, tableId: table } = kept.tableReference;
      if (kept.expirationTime !== undefined && Number(kept.expirationTime) <= now) {
        await this.delete({ dataset, table });
        continue;
      }
      const { field, expirationMs } = kept.timePartitioning ?? {};
      if (field === undefined || expirationMs === undefined) continue;
      const size = await this.sizes.of({ dataset, table }, kept);
      const oldest = new Date(now - Number(expirationMs)).toISOString().slice(0, 10);
      // A partition's time to live counts from the end of its day.
      if (![...size.partitions.keys()].some((day) => dayAfter(day) <= oldest)) continue;
      await this.#upstream.rows(
        `DELETE FROM \`${this.#project}.${dataset}.${table}\` WHERE DATE_ADD(DATE(\`${field}\`), INTERVAL 1 DAY) <= DATE '${oldest}'`,
      );
      this.sizes.changed({ dataset, table });
    }
  }

  #missing(name: TableName): ServiceError {
    return this.#datasets.has(name.dataset)
      ? notFound(`Table ${this.full(name)}`)
      : notFound(`Dataset ${this.#project}:${name.dataset}`);
  }

  /** Stores the metadata of a new table, completed with the defaults of its dataset. */
  async #keep(name: TableName, said: Json): Promise<void> {
    const { now } = this.#clock;
    const { defaultTableExpirationMs: tableMs, defaultPartitionExpirationMs: partitionMs } = this.#datasets.get(name.dataset);
    const own = present(Object.fromEntries(KEPT.map((member) => [member, said[member]])));
    if (own.schema !== undefined && own.view === undefined) own.schema = { fields: normalised(own.schema.fields ?? []) };
    if (own.timePartitioning !== undefined) {
      const expirationMs = own.timePartitioning.expirationMs ?? partitionMs;
      own.timePartitioning = present({
        type: 'DAY',
        ...own.timePartitioning,
        expirationMs: expirationMs && String(expirationMs),
      });
    }
    const spared = own.timePartitioning !== undefined && partitionMs !== undefined;
    if (tableMs !== undefined && !spared && said.expirationTime === undefined) own.expirationTime = String(now + Number(tableMs));
    if (Number(own.expirationTime) === 0 || said.expirationTime === null) delete own.expirationTime;
    if (own.expirationTime !== undefined) own.expirationTime = String(own.expirationTime);
    if (own.view !== undefined) {
      own.view = { useLegacySql: false, ...own.view };
      const described = new Map<string, Field>((own.schema?.fields ?? []).map((field: Field) => [field.name, field]));
      const fields = normalised(await this.#upstreamFields(name));
      own.schema = { fields: fields.map((field) => ({ ...field, ...pickDescription(described.get(field.name)) })) };
    }
    this.#kept.set(keyOf(name), {
      kind: 'bigquery#table',
      id: this.full(name),
      tableReference: { projectId: this.#project, datasetId: name.dataset, tableId: name.table },
      type: own.view === undefined ? 'TABLE' : 'VIEW',
      location: this.#datasets.get(name.dataset).location,
      creationTime: String(now),
      lastModifiedTime: String(now),
      ...own,
    });
  }

  async #setFields(name: TableName, fields: readonly Field[]): Promise<void> {
    await this.#upstream.done('PATCH', pathOf(name), { schema: { fields: forEmulator(fields) } });
    const kept = this.kept(name);
    this.#kept.set(keyOf(name), { ...kept, schema: { fields } });
    this.sizes.changed(name);
  }

  async #makeView({ dataset, table }: TableName, query: string, replace: boolean): Promise<void> {
    await this.#upstream.rows(`CREATE ${replace ? 'OR REPLACE ' : ''}VIEW \`${this.#project}.${dataset}.${table}\` AS ${query}`);
  }

  async #upstreamFields(name: TableName): Promise<Field[]> {
    const { schema } = await this.#upstream.done('GET', pathOf(name));
    return normalised(schema?.fields ?? []);
  }
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const dayAfter = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);

/** Returns the changes that a PATCH makes. New values replace old values, except that partitioning and labels are merged. */
function merged(before: Json, changes: Json): Json {
  const after = { ...changes };
  for (const member of ['timePartitioning', 'labels'])
    if (changes[member] && before?.[member]) after[member] = present({ ...before[member], ...changes[member] });
  return after;
}

function checkFields(fields: readonly Field[]): void {
  const names = new Set<string>();
  for (const field of fields) {
    if (!/^[\p{L}\p{N}\p{M}_\p{Pc} &%=+:'<>#|-]{1,300}$/u.test(field.name)) throw invalid(`Invalid field name "${field.name}".`);
    if (names.has(field.name.toLowerCase())) throw invalid(`Duplicate field name: ${field.name}`);
    names.add(field.name.toLowerCase());
    if (!TYPES.has(typeOf(field))) throw invalid(`Invalid value for type: ${field.type} is not a valid value`);
    if (typeOf(field) === 'RECORD') {
      if ((field.fields ?? []).length === 0) throw invalid(`Field ${field.name} is type RECORD but has no schema`);
      checkFields(field.fields!);
    }
  }
}

const TYPES = new Set(
  'STRING BYTES INTEGER FLOAT NUMERIC BIGNUMERIC BOOLEAN TIMESTAMP DATE TIME DATETIME GEOGRAPHY RECORD JSON INTERVAL RANGE'.split(
    ' ',
  ),
);
