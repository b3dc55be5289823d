import { join } from 'node:path';
import { ownIdentity, type ProcessIdentity, whereaboutsOf } from '@aorta/runtime';
import { type Checkpoints, type GroupOfHub, NotTheOwner, type PartitionCheckpoint, type PartitionClaim } from './checkpoints.ts';
import { RegisterFolder } from './register-folder.ts';

interface StoredClaim {
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly process: ProcessIdentity;
}

interface StoredCheckpoint {
  readonly sequence_number: number;
  readonly offset: string;
  readonly first: number;
}

/**
 * Checkpoints and claims in a folder of this machine, for all its processes: one register a partition for each, changed
 * only where it is as it was seen. The claim of a process that has ended counts as given up.
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
      // Later than the claim it replaces, also where the clock was set back: claims are told apart by it.
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
      // Who claims the partition after the second look begins where it stands now; what is then written is durable all the
      // same, and nobody writes lower afterwards.
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
