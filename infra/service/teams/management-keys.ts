import type { State } from '../state.ts';
import { type HashedKey, hashedKey, rowOfKey } from './team-keys.ts';

/** An `org_admin` key controls the organization, and a `team_admin` key the teams that it is bound to. */
export const roles = ['org_admin', 'team_admin'] as const;
type Role = (typeof roles)[number];

/** Keys come from the operation of the management API, or from the control port. */
type Creator = 'management_key' | 'vital_staff';

export interface ManagementKey {
  readonly key_id: string;
  readonly org_id: string;
  readonly label: string;
  readonly role: Role;
  readonly creator: Creator;
  /** Milliseconds since 1970. */
  readonly created_at: number;
  /** The teams that a `team_admin` key controls; null for an `org_admin` key, which controls all. */
  readonly team_ids: readonly string[] | null;
}

export interface NewManagementKey {
  readonly org_id: string;
  readonly label: string;
  readonly creator: Creator;
  /** The teams that the key controls; null for all. */
  readonly team_ids: readonly string[] | null;
}

export interface ManagementKeyChange {
  readonly label?: string | undefined;
  readonly team_ids?: readonly string[] | undefined;
}

type Row = Omit<ManagementKey, 'team_ids'> & HashedKey;

/** The keys of the management API. The database holds only their hashes. */
export class ManagementKeys {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** Creates a key. Its text is shown only now. */
  create({ org_id, label, creator, team_ids }: NewManagementKey): ManagementKey & { readonly key: string } {
    return this.#state.database.transaction(() => {
      const key = `mg_${this.#state.draws.bytes('management key', 24).toString('base64url')}`;
      const key_id = this.#state.draws.uuid('management key id');
      const { lookup, key_hash } = hashedKey(key);
      this.#state.database.run(
        `insert into management_keys (key_id, lookup, key_hash, org_id, label, role, creator, created_at)
         values (?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[
          key_id,
          lookup,
          key_hash,
          org_id,
          label,
          team_ids === null ? 'org_admin' : 'team_admin',
          creator,
          this.#state.clock.now(),
        ],
      );
      this.#bind(key_id, team_ids ?? []);
      return { ...this.find(org_id, key_id)!, key };
    });
  }

  find(org: string, id: string): ManagementKey | undefined {
    return this.#complete(
      this.#state.database.get<Row>('select * from management_keys where org_id = ? and key_id = ?', org, id),
    );
  }

  /** Returns the keys of an organization, the oldest first. */
  list(org: string): ManagementKey[] {
    return this.#state.database
      .all<Row>('select * from management_keys where org_id = ? order by number', org)
      .map((row) => this.#complete(row)!);
  }

  /** Changes a key that exists. */
  change(id: string, { label, team_ids }: ManagementKeyChange): void {
    this.#state.database.transaction(() => {
      if (label !== undefined) this.#state.database.run('update management_keys set label = ? where key_id = ?', label, id);
      if (team_ids === undefined) return;
      this.#state.database.run('delete from management_key_teams where key_id = ?', id);
      this.#bind(id, team_ids);
    });
  }

  delete(id: string): void {
    this.#state.database.run('delete from management_keys where key_id = ?', id);
  }

  ofKey(key: string): ManagementKey | undefined {
    return this.#complete(
      rowOfKey(key, (lookup) => this.#state.database.all<Row>('select * from management_keys where lookup = ?', lookup)),
    );
  }

  #bind(id: string, teams: readonly string[]): void {
    for (const team of new Set(teams)) this.#state.database.run('insert into management_key_teams values (?, ?)', id, team);
  }

  #complete(row: Row | undefined): ManagementKey | undefined {
    if (row === undefined) return undefined;
    const { key_id, org_id, label, role, creator, created_at } = row;
    const bound = this.#state.database.all<{ team_id: string }>(
      'select team_id from management_key_teams join teams using (team_id) where key_id = ? order by number',
      key_id,
    );
    const team_ids = role === 'org_admin' ? null : bound.map(({ team_id }) => team_id);
    return { key_id, org_id, label, role, creator, created_at, team_ids };
  }
}
