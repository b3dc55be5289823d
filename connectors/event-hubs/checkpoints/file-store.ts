import { randomUUID } from 'node:crypto';
import { link, open, readdir, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AortaError,
  makeFolder,
  ownIdentity,
  type ProcessIdentity,
  removedAfterwards,
  syncFolder,
  systemCode,
  whereaboutsOf,
} from '@aorta/runtime';
import { type Checkpoints, type GroupOfHub, NotTheOwner, type PartitionCheckpoint, type PartitionClaim } from './checkpoints.ts';

/** The content of a register, and its version number. Versions start at 1. */
interface Registered {
  readonly version: number;
  /** Undefined if a power failure left the file without content. */
  readonly content: unknown;
}

const FILE = /^(.+)\.(\d+)$/;
const DRAFT = '.draft';
/** Age in milliseconds after which a draft counts as left over from a process that has ended. */
const ABANDONED_MS = 60_000;

/**
 * Stores small values in a folder that several processes on a machine can write to. A writer specifies the version that
 * it replaces. If two writers replace the same version, only one succeeds.
 *
 * Each version is its own file, `<name>.<version>`. link(2) creates the file atomically with its content, and fails if
 * the file exists. The highest version is current, and its writer removes the lower versions. A slow writer may create
 * a removed version again. The writer then finds the higher version, removes its own file, and fails.
 */
export class RegisterFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Creates the folder, and removes drafts left over from processes that have ended. Rejects with AORTA-DATA-UNWRITABLE. */
  async open(): Promise<void> {
    await makeFolder(this.#folder);
    for (const name of await this.#names()) {
      if (!name.endsWith(DRAFT)) continue;
      const path = join(this.#folder, name);
      const age = await stat(path).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => 0,
      );
      if (age > ABANDONED_MS) await unlink(path).catch(() => {});
    }
  }

  /** Returns all registers by name. Rejects with AORTA-FILE-UNREADABLE. */
  async list(): Promise<Map<string, Registered>> {
    const registers = new Map<string, Registered>();
    for (const name of versionsIn(await this.#names()).keys()) {
      const registered = await this.read(name);
      if (registered !== undefined) registers.set(name, registered);
    }
    return registers;
  }

  /** Returns a register; undefined if it does not exist. Rejects with AORTA-FILE-UNREADABLE. */
  async read(name: string): Promise<Registered | undefined> {
    for (;;) {
      const version = versionsIn(await this.#names()).get(name);
      if (version === undefined) return undefined;
      const path = this.#path(name, version);
      try {
        return { version, content: parsed(await readFile(path, 'utf8')) };
      } catch (error) {
        // ENOENT: another process replaced the version during the read, so read again.
        if (systemCode(error) !== 'ENOENT')
          throw new AortaError('AORTA-FILE-UNREADABLE', { file: path, code: systemCode(error) });
      }
    }
  }

  /**
   * Durably replaces version `before`, or creates the register if `before` is 0. Returns false if that version is no
   * longer current. Rejects with AORTA-DATA-UNWRITABLE.
   */
  async replace(name: string, before: number, content: unknown): Promise<boolean> {
    const draft = join(this.#folder, `${randomUUID()}${DRAFT}`);
    const path = this.#path(name, before + 1);
    try {
      await using _draft = removedAfterwards(draft);
      await writeWhole(draft, `${JSON.stringify(content)}\n`);
      try {
        await link(draft, path);
      } catch (error) {
        if (systemCode(error) === 'EEXIST') return false;
        throw error;
      }
      const versions = (await this.#names()).flatMap((file) => versionOf(file, name));
      if (Math.max(...versions) > before + 1) {
        await unlink(path).catch(() => {});
        return false;
      }
      for (const version of versions) if (version <= before) await unlink(this.#path(name, version)).catch(() => {});
      await syncFolder(this.#folder);
      return true;
    } catch (error) {
      throw new AortaError('AORTA-DATA-UNWRITABLE', { path, code: systemCode(error) });
    }
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.#folder);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return [];
      throw new AortaError('AORTA-FILE-UNREADABLE', { file: this.#folder, code: systemCode(error) });
    }
  }

  #path(name: string, version: number): string {
    return join(this.#folder, `${encodeURIComponent(name)}.${version}`);
  }
}

/** Returns the highest version of each register. */
function versionsIn(files: readonly string[]): Map<string, number> {
  const versions = new Map<string, number>();
  for (const file of files) {
    const found = FILE.exec(file);
    if (found === null) continue;
    const name = decodeURIComponent(found[1]!);
    versions.set(name, Math.max(versions.get(name) ?? 0, Number(found[2])));
  }
  return versions;
}

function versionOf(file: string, name: string): number[] {
  const found = FILE.exec(file);
  return found !== null && decodeURIComponent(found[1]!) === name ? [Number(found[2])] : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  await using handle = await open(path, 'wx', 0o600);
  await handle.writeFile(text);
  await handle.sync();
}

interface StoredClaim {
  readonly owner: string;
  /** Time of the claim in milliseconds since 1970. */
  readonly at: number;
  readonly process: ProcessIdentity;
}

interface StoredCheckpoint {
  readonly sequence_number: number;
  readonly offset: string;
  readonly first: number;
}

/**
 * Stores checkpoints and claims in a folder that all processes of this machine share. Each partition has one register
 * for its claim and one for its checkpoint. A register is replaced only if it has not changed since it was read. A claim
 * ends with the process that made it.
 */
export class FileCheckpoints implements Checkpoints {
  readonly #folder: string;
  readonly #worker: string;
  readonly #opened = new Map<string, Promise<RegisterFolder>>();

  constructor(folder: string, worker: string) {
    this.#folder = folder;
    this.#worker = worker;
  }

  async listOwnership(fullyQualifiedNamespace: string, eventHubName: string, consumerGroup: string): Promise<PartitionClaim[]> {
    const group = { fullyQualifiedNamespace, eventHubName, consumerGroup };
    const claims = await (await this.#registers(group, 'claims')).list();
    return Array.from(claims, ([partitionId, { version, content }]) => {
      const claim = content as StoredClaim | undefined;
      const there = claim !== undefined && whereaboutsOf(claim.process) !== 'gone';
      return {
        ...group,
        partitionId,
        ownerId: there ? claim.owner : '',
        lastModifiedTimeInMs: claim?.at ?? 0,
        epoch: claim?.at ?? 0,
        etag: String(version),
      };
    });
  }

  async claimOwnership(wanted: PartitionClaim[]): Promise<PartitionClaim[]> {
    const claimed: PartitionClaim[] = [];
    for (const claim of wanted) {
      const registers = await this.#registers(claim, 'claims');
      const before = Number(claim.etag ?? 0);
      // The epoch must increase, so the new claim's time must be later than the old one's, even if the clock was set back.
      const at = Math.max(Date.now(), (claim.epoch ?? 0) + 1);
      const stored: StoredClaim = { owner: claim.ownerId, at, process: ownIdentity() };
      if (!(await registers.replace(claim.partitionId, before, stored))) continue;
      claimed.push({ ...claim, lastModifiedTimeInMs: at, epoch: at, etag: String(before + 1) });
    }
    return claimed;
  }

  async listCheckpoints(
    fullyQualifiedNamespace: string,
    eventHubName: string,
    consumerGroup: string,
  ): Promise<PartitionCheckpoint[]> {
    const group = { fullyQualifiedNamespace, eventHubName, consumerGroup };
    const checkpoints = await (await this.#registers(group, 'checkpoints')).list();
    return Array.from(checkpoints).flatMap(([partitionId, { content }]) => {
      if (content === undefined) return [];
      const { sequence_number: sequenceNumber, offset, first } = content as StoredCheckpoint;
      return [{ ...group, partitionId, sequenceNumber, offset, first }];
    });
  }

  async updateCheckpoint({ partitionId, sequenceNumber, offset, first = 0, ...group }: PartitionCheckpoint): Promise<void> {
    const registers = await this.#registers(group, 'checkpoints');
    const claims = await this.#registers(group, 'claims');
    for (;;) {
      // If another worker claims the partition after the second read below, that worker starts at the checkpoint that
      // it finds. Writing a higher checkpoint is still safe: everything up to it is durable, and no later write lowers
      // it.
      const before = await registers.read(partitionId);
      const claim = (await claims.read(partitionId))?.content as StoredClaim | undefined;
      if (claim?.owner !== this.#worker) throw new NotTheOwner();
      const stands = before?.content as StoredCheckpoint | undefined;
      if (stands !== undefined && stands.sequence_number >= sequenceNumber) return;
      const stored: StoredCheckpoint = { sequence_number: sequenceNumber, offset, first };
      if (await registers.replace(partitionId, before?.version ?? 0, stored)) return;
    }
  }

  #registers({ fullyQualifiedNamespace, eventHubName, consumerGroup }: GroupOfHub, kind: string): Promise<RegisterFolder> {
    const parts = [fullyQualifiedNamespace, eventHubName, consumerGroup].map((part) => encodeURIComponent(part.toLowerCase()));
    const folder = join(this.#folder, ...parts, kind);
    const registers = new RegisterFolder(folder);
    const opened = this.#opened.get(folder) ?? registers.open().then(() => registers);
    this.#opened.set(folder, opened);
    opened.catch(() => this.#opened.delete(folder));
    return opened;
  }
}
