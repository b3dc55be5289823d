import { randomUUID } from 'node:crypto';
import { link, open, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AortaError,
  makeFolder,
  ownIdentity,
  type ProcessIdentity,
  readJson,
  removedAfterwards,
  sealJson,
  syncFolder,
  systemCode,
  whereaboutsOf,
} from '@aorta/runtime';
import { HubError } from '../errors.ts';
import { type Checkpoints, type GroupOfHub, NotTheOwner, type PartitionCheckpoint, type PartitionClaim } from './checkpoints.ts';

/** The content of a register, its version number and its file. Versions start at 1. */
interface Registered {
  readonly version: number;
  readonly file: string;
  /** Null if the file is damaged. */
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
      const file = this.#path(name, version);
      const content = await readJson(file);
      // If another process replaced the version during the read, read again.
      if (content !== undefined) return { version, file, content };
    }
  }

  /**
   * Durably replaces version `before`, or creates the register if `before` is 0. Returns false if that version is no
   * longer current. Rejects with AORTA-DATA-UNWRITABLE.
   */
  async replace(name: string, before: number, content: object): Promise<boolean> {
    const draft = join(this.#folder, `${randomUUID()}${DRAFT}`);
    const path = this.#path(name, before + 1);
    try {
      await using _draft = removedAfterwards(draft);
      await writeWhole(draft, `${sealJson(JSON.stringify(content)).text}\n`);
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
  readonly streams?: string | undefined;
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
      // A damaged claim counts as free. If its owner still reads, the hub disconnects the reader with the lower epoch.
      const claim = content as StoredClaim | null;
      const there = claim !== null && whereaboutsOf(claim.process) !== 'gone';
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
    // Does not create the folder, because `doctor` writes nothing.
    const checkpoints = await new RegisterFolder(this.#pathOf(group, 'checkpoints')).list();
    return Array.from(checkpoints, ([partition, { file, content }]) => {
      if (content === null) throw new HubError('AORTA-HUB-CHECKPOINT-DAMAGED', { file, hub: eventHubName, partition });
      const { sequence_number: sequenceNumber, offset, first, streams } = content as StoredCheckpoint;
      return { ...group, partitionId: partition, sequenceNumber, offset, first, streams };
    });
  }

  /** Returns the location of a partition's checkpoint, so that an operator can delete it. */
  placeOf(group: GroupOfHub, partitionId: string): string {
    return `the file ${join(this.#pathOf(group, 'checkpoints'), encodeURIComponent(partitionId))}.* (the asterisk is a number)`;
  }

  async updateCheckpoint({
    partitionId,
    sequenceNumber,
    offset,
    first = 0,
    streams,
    ...group
  }: PartitionCheckpoint): Promise<void> {
    const registers = await this.#registers(group, 'checkpoints');
    const claims = await this.#registers(group, 'claims');
    for (;;) {
      // If another worker claims the partition after the second read below, that worker starts at the checkpoint that
      // it finds. Writing a higher checkpoint is still safe: everything up to it is durable, and no later write lowers
      // it.
      const before = await registers.read(partitionId);
      const claim = (await claims.read(partitionId))?.content as StoredClaim | null | undefined;
      if (claim?.owner !== this.#worker) throw new NotTheOwner();
      const stands = before?.content as StoredCheckpoint | null | undefined;
      if (stands && stands.sequence_number >= sequenceNumber) return;
      const stored: StoredCheckpoint = { sequence_number: sequenceNumber, offset, first, streams };
      if (await registers.replace(partitionId, before?.version ?? 0, stored)) return;
    }
  }

  #pathOf({ fullyQualifiedNamespace, eventHubName, consumerGroup }: GroupOfHub, kind: string): string {
    const parts = [fullyQualifiedNamespace, eventHubName, consumerGroup].map((part) => encodeURIComponent(part.toLowerCase()));
    return join(this.#folder, ...parts, kind);
  }

  #registers(group: GroupOfHub, kind: string): Promise<RegisterFolder> {
    const folder = this.#pathOf(group, kind);
    const registers = new RegisterFolder(folder);
    const opened = this.#opened.get(folder) ?? registers.open().then(() => registers);
    this.#opened.set(folder, opened);
    opened.catch(() => this.#opened.delete(folder));
    return opened;
  }
}
