import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Service } from '../service.ts';
import { hashedKey, rowOfKey } from './team-keys.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('a key is found by its hash among all keys with the same lookup', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 2 }), (keys) => {
      const rows = keys.map((key) => ({ name: key, lookup: 'same', key_hash: sha256(key) }));
      for (const key of keys) expect(rowOfKey(key, () => rows)?.name).toBe(key);
      const [first, ...others] = rows;
      expect(rowOfKey(first!.name, () => others)).toBeUndefined();
    }),
  );
});

test('the lookup is a part of the hash', () => {
  const { lookup, key_hash } = hashedKey('key');
  expect(key_hash).toBe(sha256('key'));
  expect(lookup).toBe(sha256('key').slice(0, 16));
  const asked: string[] = [];
  rowOfKey('key', (given) => {
    asked.push(given);
    return [];
  });
  expect(asked).toEqual([lookup]);
});

test('the files of the state contain neither keys of teams nor management keys', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-keys-'));
  try {
    const service = new Service({ path: join(folder, 'service.sqlite'), runs: false });
    const { team_id, org_id, api_key } = service.teams.create('planted name');
    const given = { org_id, label: '', creator: 'vital_staff' } as const;
    const keys = [
      api_key,
      service.teams.addKey(team_id),
      ...[null, [team_id]].map((team_ids) => service.managementKeys.create({ ...given, team_ids }).key),
    ];
    const found = (text: string) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(text))
        .map(({ name }) => name);
    await service.snapshots.save('one');
    expect(found('planted name')).toContain('one.snapshot');
    for (const key of keys) expect(found(key.slice(6, -4))).toEqual([]);
    await service.close();
    expect(found('planted name')).toContain('service.sqlite');
    for (const key of keys) expect(found(key.slice(6, -4))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
