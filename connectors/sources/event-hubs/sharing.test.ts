import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Expiry, type Holding, partitionsToClaim } from './sharing.ts';

const held = (partition: string, owner: string, expired = false): Holding => ({ partition, owner, expired });

describe('which partitions a worker claims', () => {
  const four = ['0', '1', '2', '3'];

  test('alone: all that are nobody’s, or whose owner was not heard of', () => {
    expect(partitionsToClaim('a', four, [])).toEqual(four);
    expect(partitionsToClaim('a', four, [held('0', ''), held('1', 'gone', true), held('2', 'a')])).toEqual(['0', '1', '3']);
  });

  test('beside another: half of what is free, and half of his where nothing is', () => {
    expect(partitionsToClaim('b', four, [held('0', 'a')])).toEqual(['1', '2']);
    expect(
      partitionsToClaim(
        'b',
        four,
        four.map((partition) => held(partition, 'a')),
      ),
    ).toHaveLength(2);
    expect(partitionsToClaim('b', four, [held('0', 'a'), held('1', 'a'), held('2', 'b'), held('3', 'b')])).toEqual([]);
    // Three and two is fair.
    expect(
      partitionsToClaim('b', [...four, '4'], [...['0', '1', '2'].map((p) => held(p, 'a')), held('3', 'b'), held('4', 'b')]),
    ).toEqual([]);
  });
});

/** A store as the client has it: a claim names the record that it replaces. */
class Store {
  readonly records = new Map<string, { owner: string; version: number }>();

  claim(worker: string, partition: string, version: number): boolean {
    const record = this.records.get(partition);
    if ((record?.version ?? 0) !== version) return false;
    this.records.set(partition, { owner: worker, version: version + 1 });
    return true;
  }
}

test('workers that join and leave end up with shares that differ by one at most, and then nothing moves any more', () => {
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
        // Looks may be old when they are acted on: the version then stops the claim.
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
        // From here on all of them look in turn.
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

describe('expiry', () => {
  const claim = (partition: string, owner: string, mark: string, age = 0) => ({ partition, owner, mark, age });
  const at = (expiry: Expiry, now: number, ...claims: ReturnType<typeof claim>[]) => [...expiry.expired(claims, now)];

  test('is what was seen to stand still, by the own clock', () => {
    const expiry = new Expiry(1000);
    expect(at(expiry, 0, claim('p', 'a', 'mark'))).toEqual([]);
    expect(at(expiry, 999, claim('p', 'a', 'mark'))).toEqual([]);
    expect(at(expiry, 1000, claim('p', 'a', 'another'))).toEqual([]);
    expect(at(expiry, 2000, claim('p', 'a', 'another'))).toEqual(['a']);
  });

  test('a worker lives while any of its claims changes, and does not live longer because others take some of them', () => {
    const expiry = new Expiry(1000);
    const still = [claim('p', 'a', '1'), claim('q', 'a', '1'), claim('r', 'b', '1')];
    expect(at(expiry, 0, claim('o', 'a', '1'), ...still, claim('s', 'a', '1'))).toEqual([]);
    expect(at(expiry, 800, claim('o', 'a', '2'), ...still, claim('s', 'a', '1'))).toEqual([]);
    expect(at(expiry, 900, claim('o', 'a', '2'), ...still, claim('s', 'a', '2'))).toEqual([]);
    // Neither the first nor the last one alone decides.
    expect(at(expiry, 1850, claim('o', 'a', '2'), ...still, claim('s', 'a', '2'))).toEqual(['b']);
    expect(at(expiry, 1850, claim('s', 'a', '2'), ...still, claim('o', 'a', '2'))).toEqual(['b']);
    expect(at(expiry, 1900, claim('o', 'a', '2'), ...still, claim('s', 'a', '2'))).toEqual(['a', 'b']);
    // c takes o over: the others of a stay expired.
    expect(at(expiry, 1950, claim('o', 'c', '3'), ...still, claim('s', 'a', '2'))).toEqual(['a', 'b']);
  });

  test('trusts the clocks only where they are far apart from it, and by the youngest claim of a worker', () => {
    const expiry = new Expiry(1000);
    expect(at(expiry, 0, claim('p', 'a', 'mark', 60_999))).toEqual([]);
    expect(at(expiry, 0, claim('p', 'a', 'mark', 61_000))).toEqual(['a']);
    expect(at(expiry, 0, claim('p', 'a', 'mark', 500_000), claim('q', 'a', 'mark', 10_000))).toEqual([]);
    // A clock that is ahead of ours.
    expect(at(expiry, 0, claim('r', 'b', 'mark', -5000))).toEqual([]);
  });
});
