import { createHmac, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Landed, LandedPartition } from '@aorta/connectors';
import type { StreamName } from '@aorta/schemas';

/* The control tables contain the landed positions and the erased users. They are updated in the same transaction as the rows. */

export function makeControlTables(database: DatabaseSync): void {
  database.exec(`CREATE TABLE IF NOT EXISTS control_positions (
    stream TEXT, partition INTEGER, incarnation TEXT, position INTEGER, PRIMARY KEY (stream, partition))`);
  database.exec('CREATE TABLE IF NOT EXISTS control_suppressed (user_hash TEXT PRIMARY KEY)');
  database.exec('CREATE TABLE IF NOT EXISTS control_key (key TEXT)');
  database
    .prepare('INSERT INTO control_key SELECT ? WHERE NOT EXISTS (SELECT * FROM control_key)')
    .run(randomBytes(32).toString('hex'));
}

export function readPositions(database: DatabaseSync): (LandedPartition & Landed)[] {
  const found = database.prepare('SELECT stream, partition, incarnation, position FROM control_positions').all();
  return found.map(({ stream, partition, incarnation, position }) => ({
    stream: stream as StreamName,
    partition: Number(partition),
    incarnation: String(incarnation),
    position: Number(position),
  }));
}

export function writePosition(
  database: DatabaseSync,
  { stream, partition, incarnation, position }: LandedPartition & Landed,
): void {
  database.prepare('INSERT OR REPLACE INTO control_positions VALUES (?, ?, ?, ?)').run(stream, partition, incarnation, position);
}

/** The erased users. The file stores only keyed hashes of their ids. */
export class SuppressionList {
  readonly #database: DatabaseSync;
  readonly #key: string;
  readonly #hashes: Set<string>;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#key = String(database.prepare('SELECT key FROM control_key').get()!.key);
    this.#hashes = new Set(
      database
        .prepare('SELECT user_hash FROM control_suppressed')
        .all()
        .map((row) => String(row.user_hash)),
    );
  }

  add(user: string): void {
    const hash = this.#hashOf(user);
    this.#database.prepare('INSERT OR IGNORE INTO control_suppressed VALUES (?)').run(hash);
    this.#hashes.add(hash);
  }

  hasAnyOf(users: ReadonlySet<string>): boolean {
    return this.#hashes.size > 0 && [...users].some((user) => this.#hashes.has(this.#hashOf(user)));
  }

  #hashOf(user: string): string {
    return createHmac('sha256', this.#key).update(user).digest('hex');
  }
}
