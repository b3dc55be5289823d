import type { State } from '../state.ts';
import { drawsOf } from '../storage/draws.ts';

/** Only `scale` has the management API and ETL pipelines. */
export const plans = ['launch', 'grow', 'scale'] as const;
export type Plan = (typeof plans)[number];

export interface Organization {
  readonly org_id: string;
  readonly name: string;
  readonly plan: Plan;
  /** Milliseconds since 1970. */
  readonly created_at: number;
  /** Date of the interface, such as 2025-05-08. Null: the present. Teams get it from their organization. */
  readonly as_of: string | null;
}

/** The organization of teams that are created without one. It has the same id in every service. */
const DEFAULT = {
  org_id: drawsOf('default organization').uuid('organization'),
  name: 'default',
  plan: 'scale',
  as_of: null,
} as const;

const columns = 'org_id, name, plan, created_at, as_of';

/** The organizations, which own teams. */
export class Organizations {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  create(name: string, plan: Plan = 'scale', as_of?: string): Organization {
    return this.#add({ org_id: this.#state.draws.uuid('organization'), name, plan, as_of: as_of ?? null });
  }

  find(id: string): Organization | undefined {
    return this.#state.database.get(`select ${columns} from organizations where org_id = ?`, id);
  }

  /** Returns all organizations, the oldest first. */
  list(): Organization[] {
    return this.#state.database.all(`select ${columns} from organizations order by created_at, org_id`);
  }

  /** Returns the organization of teams that are created without one. */
  default(): Organization {
    return this.find(DEFAULT.org_id) ?? this.#add(DEFAULT);
  }

  rename(id: string, name: string): void {
    this.#state.database.run('update organizations set name = ? where org_id = ?', name, id);
  }

  /** Changes the plan. Without the Scale plan, pipelines of the teams carry no further events. */
  setPlan(id: string, plan: Plan): void {
    this.#state.database.run('update organizations set plan = ? where org_id = ?', plan, id);
  }

  #add({ org_id, name, plan, as_of }: Omit<Organization, 'created_at'>): Organization {
    const { database, clock } = this.#state;
    database.run('insert into organizations values (?, ?, ?, ?, ?)', org_id, name, plan, clock.now(), as_of);
    return this.find(org_id)!;
  }
}

/** Returns whether an organization may use the management API and ETL pipelines. */
export const hasScale = ({ plan }: Pick<Organization, 'plan'>): boolean => plan === 'scale';
