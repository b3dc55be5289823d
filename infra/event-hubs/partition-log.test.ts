import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PartitionLog } from './partition-log.ts';
import { encodedMessage, sentMessage } from './stored-message.ts';

const message = (size: number) => sentMessage(encodedMessage({ body: Buffer.alloc(size, 7).toString('base64') }));

const step = fc.oneof(
  fc.record({ append: fc.array(fc.nat(300), { minLength: 1, maxLength: 4 }), after: fc.nat(3) }),
  fc.record({ trim: fc.nat(30) }),
);

test('seek finds the same event as a linear search through all events', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 15 }), fc.integer({ min: -1, max: 40 }), fc.boolean(), (steps, asked, inclusive) => {
      const log = new PartitionLog('0');
      let events: { number: number; offset: number; time: number }[] = [];
      let begin = 0;
      let time = 1000;
      for (const one of steps) {
        if ('append' in one) {
          time += one.after;
          for (const size of one.append) {
            log.append([message(size)], time);
            events.push({ number: log.last.sequenceNumber, offset: Number(log.last.offset), time });
          }
        } else {
          log.trim(one.trim);
          begin = Math.max(begin, Math.min(one.trim, log.next));
          events = events.filter(({ number }) => number >= begin);
        }
      }
      expect([log.begin, log.next]).toEqual([begin, begin + events.length]);
      const first = (found: (event: (typeof events)[number]) => boolean) => ({
        next: events.find(found)?.number ?? log.next,
      });
      const bySequence = log.seek({ from: 'sequence-number', value: asked, inclusive });
      if (asked > log.last.sequenceNumber) expect(bySequence).toHaveProperty('refused');
      else expect(bySequence).toEqual(first(({ number }) => (inclusive ? number >= asked : number > asked)));
      const value = 1000 + asked;
      expect(log.seek({ from: 'enqueued-time', value, inclusive })).toEqual(
        first((event) => (inclusive ? event.time >= value : event.time > value)),
      );
      for (const { offset } of events) {
        expect(log.seek({ from: 'offset', value: offset, inclusive })).toEqual(
          first((event) => (inclusive ? event.offset >= offset : event.offset > offset)),
        );
      }
      expect(log.seek({ from: 'earliest' })).toEqual({ next: begin });
      expect(log.seek({ from: 'latest' })).toEqual({ next: log.next });
      for (const wrong of [asked, Number(log.last.offset) + 1])
        expect(log.seek({ from: 'offset', value: wrong, inclusive })).toHaveProperty('refused');
    }),
    { numRuns: 150 },
  );
});
