import { join } from 'node:path';
import { ownIdentity, type ProcessIdentity, whereaboutsOf } from '@aorta/runtime';
import { type Checkpoints, type GroupOfHub, NotTheOwner, type PartitionCheckpoint, type PartitionClaim } from './checkpoints.ts';
import { RegisterFolder } from './register-folder.ts';

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
    const opened = this.#opened.get(folder) ?? open(folder);
    this.#opened.set(folder, opened);
    opened.catch(() => this.#opened.delete(folder));
    return opened;
  }
}

async function open(folder: string): Promise<RegisterFolder> {
  const registers = new RegisterFolder(folder);
  await registers.open();
  return registers;
}
