import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Expiry, type Holding, partitionsToClaim } from './claims.ts';

const held = (partition: string, owner: string, expired = false): Holding => ({ partition, owner, expired });

describe('partitionsToClaim', () => {
  const four = ['0', '1', '2', '3'];

  test('partitionsToClaim gives a single worker all free and expired partitions', () => {
    expect(partitionsToClaim('a', four, [])).toEqual(four);
    expect(partitionsToClaim('a', four, [held('0', ''), held('1', 'gone', true), held('2', 'a')])).toEqual(['0', '1', '3']);
  });

  test('partitionsToClaim gives a second worker its share of the free partitions, or half of the first worker’s if none are free', () => {
    expect(partitionsToClaim('b', four, [held('0', 'a')])).toEqual(['1', '2']);
    expect(
      partitionsToClaim(
        'b',
        four,
        four.map((partition) => held(partition, 'a')),
      ),
    ).toHaveLength(2);
    expect(partitionsToClaim('b', four, [held('0', 'a'), held('1', 'a'), held('2', 'b'), held('3', 'b')])).toEqual([]);
    // A split of three and two partitions counts as balanced.
    expect(
      partitionsToClaim('b', [...four, '4'], [...['0', '1', '2'].map((p) => held(p, 'a')), held('3', 'b'), held('4', 'b')]),
    ).toEqual([]);
  });
});

/** Stores claims. As in the real checkpoint store, a claim fails if it does not name the current version. */
class Store {
  readonly records = new Map<string, { owner: string; version: number }>();

  claim(worker: string, partition: string, version: number): boolean {
    const record = this.records.get(partition);
    if ((record?.version ?? 0) !== version) return false;
    this.records.set(partition, { owner: worker, version: version + 1 });
    return true;
  }
}

test('after workers join and leave, their partition counts soon differ by at most one, and then no more partitions move', () => {
  const step = fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('look' as const), worker: fc.nat(4) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('see' as const), worker: fc.nat(4) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), worker: fc.nat(4) }) },
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(step, { maxLength: 40 }),
      (count, workers, steps) => {
        const partitions = Array.from({ length: count }, (_, index) => String(index));
        const store = new Store();
        // A worker may act on an outdated view of the claims. The version then makes its claim fail.
        const seen = new Map<number, { holdings: Holding[]; versions: Map<string, number> }>();
        const see = (worker: number): void => {
          seen.set(worker, {
            holdings: Array.from(store.records, ([partition, { owner }]) => held(partition, owner)),
            versions: new Map(Array.from(store.records, ([partition, { version }]) => [partition, version])),
          });
        };
        const look = (worker: number): number => {
          const { holdings, versions } = seen.get(worker) ?? { holdings: [], versions: new Map() };
          const claims = partitionsToClaim(`w${worker}`, partitions, holdings);
          return claims.filter((partition) => store.claim(`w${worker}`, partition, versions.get(partition) ?? 0)).length;
        };
        for (const { kind, worker } of steps) {
          if (worker >= workers) continue;
          if (kind === 'see') see(worker);
          else if (kind === 'look') look(worker);
          else
            for (const [partition, { owner, version }] of store.records)
              if (owner === `w${worker}`) store.claim('', partition, version);
        }
        // From here on, every worker acts once per round.
        let moved = 1;
        let rounds = 0;
        for (; moved > 0; rounds += 1) {
          moved = 0;
          for (let worker = 0; worker < workers; worker += 1) {
            see(worker);
            moved += look(worker);
          }
          expect(rounds).toBeLessThan(count + workers + 3);
        }
        const shares = Array.from(
          { length: workers },
          (_, worker) => [...store.records.values()].filter(({ owner }) => owner === `w${worker}`).length,
        );
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(count);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: 500 },
  );
});

describe('Expiry', () => {
  const claim = (partition: string, owner: string, mark: string) => ({ partition, owner, mark });
  const at = (expiry: Expiry, now: number, ...claims: ReturnType<typeof claim>[]) => [...expiry.expired(claims, now)];

  test('a worker expires if its claims do not change during the expiry time, measured by the local clock', () => {
    const expiry = new Expiry(1000);
    expect(at(expiry, 0, claim('p', 'a', 'mark'))).toEqual([]);
    expect(at(expiry, 999, claim('p', 'a', 'mark'))).toEqual([]);
    expect(at(expiry, 1000, claim('p', 'a', 'another'))).toEqual([]);
    expect(at(expiry, 2000, claim('p', 'a', 'another'))).toEqual(['a']);
  });

  test('a worker stays alive if it renews any of its claims, but a takeover by another worker is not a renewal', () => {
    const expiry = new Expiry(1000);
    const still = [claim('p', 'a', '1'), claim('q', 'a', '1'), claim('r', 'b', '1')];
    expect(at(expiry, 0, claim('o', 'a', '1'), ...still, claim('s', 'a', '1'))).toEqual([]);
    expect(at(expiry, 800, claim('o', 'a', '2'), ...still, claim('s', 'a', '1'))).toEqual([]);
    expect(at(expiry, 900, claim('o', 'a', '2'), ...still, claim('s', 'a', '2'))).toEqual([]);
    // The order of the claims makes no difference.
    expect(at(expiry, 1850, claim('o', 'a', '2'), ...still, claim('s', 'a', '2'))).toEqual(['b']);
    expect(at(expiry, 1850, claim('s', 'a', '2'), ...still, claim('o', 'a', '2'))).toEqual(['b']);
    expect(at(expiry, 1900, claim('o', 'a', '2'), ...still, claim('s', 'a', '2'))).toEqual(['a', 'b']);
    // Worker c takes over partition o, but the other claims of worker a stay expired.
    expect(at(expiry, 1950, claim('o', 'c', '3'), ...still, claim('s', 'a', '2'))).toEqual(['a', 'b']);
  });
});
