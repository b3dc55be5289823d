import { providerOf } from '../connections/provider-catalogue.ts';
import type { Outbox } from '../events/outbox.ts';
import type { Database } from '../storage/database.ts';
import type { User } from '../users/user.ts';
import type { Source } from './arrival.ts';

export interface Device {
  readonly id: string;
  readonly user_id: string;
  readonly provider: string;
  readonly source_type: string;
  readonly app_id: string | null;
  readonly device_manufacturer: string | null;
  readonly device_model: string | null;
  readonly device_version: string | null;
  readonly device_id: string | null;
}

const columns = 'id, user_id, provider, source_type, app_id, device_manufacturer, device_model, device_version, device_id';

/** The devices of users. The service learns of a device when it gets its first data. */
export class Devices {
  readonly #database: Database;
  readonly #outbox: Outbox;

  constructor(database: Database, outbox: Outbox) {
    this.#database = database;
    this.#outbox = outbox;
  }

  /** Notes the device of a source, within the caller's transaction. A new device has an event. */
  note(user: User, { provider, type, app_id, device_id }: Source): void {
    if (device_id === null || this.find(user.user_id, device_id) !== undefined) return;
    const { name } = providerOf(provider)!;
    const device: Device = {
      id: device_id,
      user_id: user.user_id,
      provider,
      source_type: type,
      app_id,
      device_manufacturer: name,
      device_model: `${name} ${type}`,
      device_version: null,
      device_id: device_id.slice(0, 8).toUpperCase(),
    };
    const values = Object.values(device) as (string | null)[];
    const added = this.#database.run('insert into devices values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing', ...values);
    if (added === 1) this.#outbox.add(user, 'provider.device.created', device);
  }

  find(user: string, id: string): Device | undefined {
    return this.#database.get(`select ${columns} from devices where user_id = ? and id = ?`, user, id);
  }

  of(user: string): Device[] {
    return this.#database.all(`select ${columns} from devices where user_id = ? order by provider, source_type, id`, user);
  }
}
