import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { damagesOf } from '../../../infra/machine/damage.fixture.ts';
import { NotTheOwner, releaseClaims } from './checkpoints.ts';
import { FileCheckpoints, RegisterFolder } from './file-store.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'checkpoints-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const group = { fullyQualifiedNamespace: 'ns', eventHubName: 'health', consumerGroup: '$Default' };
const list = (store: FileCheckpoints) => store.listOwnership('ns', 'health', '$Default');
const checkpoints = (store: FileCheckpoints) => store.listCheckpoints('ns', 'health', '$Default');

async function claim(store: FileCheckpoints, ownerId: string, partitionId = '0') {
  const record = (await list(store)).find((one) => one.partitionId === partitionId);
  return store.claimOwnership([{ ...group, ...record, partitionId, ownerId }]);
}

describe('checkpoints in files', () => {
  test('are visible to every process on the machine, and include the group’s first sequence number', async () => {
    const a = new FileCheckpoints(folder, 'a');
    await claim(a, 'a');
    await a.updateCheckpoint({ ...group, partitionId: '0', sequenceNumber: 7, offset: '70', first: 3 });
    expect(await checkpoints(new FileCheckpoints(folder, 'b'))).toEqual([
      { ...group, partitionId: '0', sequenceNumber: 7, offset: '70', first: 3 },
    ]);
    // Namespace, hub and group are case-insensitive.
    expect(await new FileCheckpoints(folder, 'b').listCheckpoints('NS', 'Health', '$default')).toHaveLength(1);
    expect(await new FileCheckpoints(folder, 'b').listCheckpoints('ns', 'health', 'other')).toEqual([]);
  });

  test('are written only by the partition’s owner, and are never lowered', async () => {
    const [a, b] = [new FileCheckpoints(folder, 'a'), new FileCheckpoints(folder, 'b')];
    const at = (sequenceNumber: number) => ({ ...group, partitionId: '0', sequenceNumber, offset: '' });
    await expect(a.updateCheckpoint(at(1))).rejects.toBeInstanceOf(NotTheOwner);
    await claim(a, 'a');
    await a.updateCheckpoint(at(9));
    await a.updateCheckpoint(at(4));
    expect((await checkpoints(a))[0]?.sequenceNumber).toBe(9);
    await claim(b, 'b');
    await expect(a.updateCheckpoint(at(12))).rejects.toBeInstanceOf(NotTheOwner);
    await b.updateCheckpoint(at(10));
    expect((await checkpoints(a))[0]?.sequenceNumber).toBe(10);
  });
});

describe('damage', () => {
  const store = () => new FileCheckpoints(folder, 'a');
  const path = (name: string) => join(folder, 'ns', 'health', encodeURIComponent('$default'), name);
  beforeEach(async () => {
    await claim(store(), 'a');
    await store().updateCheckpoint({ ...group, partitionId: '0', sequenceNumber: 7, offset: '70', first: 3 });
  });

  test('a damaged checkpoint is reported, and without its file there is none', async () => {
    const file = path('checkpoints/0.1');
    for (const { what, content } of damagesOf(await readFile(file), 5)) {
      await writeFile(file, content);
      const details = { file, hub: 'health', partition: '0' };
      await expect(checkpoints(store()), what).rejects.toMatchObject({ code: 'AORTA-HUB-CHECKPOINT-DAMAGED', details });
    }
    await rm(file);
    expect(await checkpoints(store())).toEqual([]);
  });

  test('a damaged checkpoint is replaced by the worker that reads the partition', async () => {
    await writeFile(path('checkpoints/0.1'), '');
    await store().updateCheckpoint({ ...group, partitionId: '0', sequenceNumber: 9, offset: '90', first: 3 });
    expect((await checkpoints(store())).map(({ sequenceNumber }) => sequenceNumber)).toEqual([9]);
  });

  test('a damaged claim counts as free', async () => {
    const file = path('claims/0.1');
    for (const { what, content } of damagesOf(await readFile(file), 5)) {
      await writeFile(file, content);
      expect([what, (await list(store())).map(({ ownerId, etag }) => [ownerId, etag])]).toEqual([what, [['', '1']]]);
    }
    expect(await claim(store(), 'b')).toHaveLength(1);
  });
});

describe('claims in files', () => {
  test('only one of two workers can replace the same claim, and the new claim has a later time', async () => {
    const [a, b] = [new FileCheckpoints(folder, 'a'), new FileCheckpoints(folder, 'b')];
    const wanted = (ownerId: string) => [{ ...group, partitionId: '0', ownerId }];
    const won = (await Promise.all([a.claimOwnership(wanted('a')), b.claimOwnership(wanted('b'))])).flat();
    expect(won).toHaveLength(1);
    const [record] = await list(a);
    const [next] = await b.claimOwnership([{ ...record!, ownerId: 'b' }]);
    expect(next!.lastModifiedTimeInMs).toBeGreaterThan(record!.lastModifiedTimeInMs!);
    expect(await a.claimOwnership([{ ...record!, ownerId: 'a' }])).toEqual([]);
    expect((await list(a))[0]?.ownerId).toBe('b');
  });

  test('a claim is free if its process has ended, or if a power failure left the claim’s file empty', async () => {
    const a = new FileCheckpoints(folder, 'a');
    await claim(a, 'a');
    const registers = new RegisterFolder(join(folder, 'ns', 'health', encodeURIComponent('$default'), 'claims'));
    const { content } = (await registers.read('0'))!;
    const { process: own } = content as { process: { started: string } };
    await registers.replace('0', 1, { ...(content as object), process: { ...own, started: '1' } });
    expect((await list(a)).map(({ ownerId }) => ownerId)).toEqual(['']);
    await writeFile(join(folder, 'ns', 'health', encodeURIComponent('$default'), 'claims', '0.3'), '');
    expect((await list(a)).map(({ ownerId, etag }) => [ownerId, etag])).toEqual([['', '3']]);
    expect(await claim(a, 'a')).toHaveLength(1);
  });

  test('the claims of a crashed worker can be released without releasing the claims of other workers', async () => {
    const a = new FileCheckpoints(folder, 'a');
    await claim(a, 'a', '0');
    await claim(a, 'b', '1');
    expect(await releaseClaims(a, group, 'a')).toBe(1);
    expect((await list(a)).map(({ partitionId, ownerId }) => [partitionId, ownerId]).sort()).toEqual([
      ['0', ''],
      ['1', 'b'],
    ]);
  });
});

describe('a register', () => {
  test('keeps only its newest version, and opening the folder removes old drafts', async () => {
    const registers = new RegisterFolder(folder);
    await registers.open();
    for (let version = 0; version < 5; version += 1) expect(await registers.replace('a/b', version, { version })).toBe(true);
    expect(await readdir(folder)).toEqual(['a%2Fb.5']);
    expect(await registers.read('a/b')).toMatchObject({ version: 5, content: { version: 4 } });
    await writeFile(join(folder, 'x.draft'), '');
    await utimes(join(folder, 'x.draft'), 0, 0);
    await registers.open();
    expect(await readdir(folder)).toEqual(['a%2Fb.5']);
  });

  test('rejects a write that is based on a version that has already been replaced and removed', async () => {
    const registers = new RegisterFolder(folder);
    await registers.replace('r', 0, ['a']);
    await registers.replace('r', 1, ['b']);
    await registers.replace('r', 2, ['c']);
    expect(await registers.replace('r', 0, ['late'])).toBe(false);
    expect(await registers.replace('r', 1, ['late'])).toBe(false);
    expect(await registers.read('r')).toMatchObject({ version: 3, content: ['c'] });
  });

  test('does not lose any update when several writers increment it concurrently', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 1, max: 4 }), async (workers, each) => {
        const place = await mkdtemp(join(folder, 'r-'));
        const count = async (): Promise<void> => {
          const registers = new RegisterFolder(place);
          for (let done = 0; done < each; ) {
            const before = await registers.read('n');
            const [n] = (before?.content as [number] | undefined) ?? [0];
            if (await registers.replace('n', before?.version ?? 0, [n + 1])) done += 1;
          }
        };
        await Promise.all(Array.from({ length: workers }, count));
        expect(await new RegisterFolder(place).read('n')).toMatchObject({ version: workers * each, content: [workers * each] });
      }),
      { numRuns: 10 },
    );
  });
});
