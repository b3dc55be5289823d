import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByPartition } from './partition.ts';

test('a lookup finds the entry for its source and partition after any sequence of operations', () => {
  const name = fc.constantFrom('', 'a', 'b', 'a\u0000b');
  const step = fc.record({ kind: fc.constantFrom('get', 'set', 'delete'), source: name, partition: name, thing: fc.nat() });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const things = new ByPartition<number>();
      const model = new Map<string, number>();
      for (const { kind, source, partition, thing } of steps) {
        const key = JSON.stringify([source, partition]);
        if (kind === 'set') {
          expect(things.set(source, partition, thing)).toBe(thing);
          model.set(key, thing);
        } else if (kind === 'delete') {
          things.delete(source, partition);
          model.delete(key);
        }
        expect(things.get(source, partition)).toBe(model.get(key));
      }
      expect(new Map([...things].map(([source, partition, thing]) => [JSON.stringify([source, partition]), thing]))).toEqual(
        model,
      );
    }),
  );
});
