import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DeliveryPosition, parsePosition, positionText } from './delivery-position.ts';

const odd = [
  '/',
  '%',
  ' ',
  '\n',
  '\t',
  '\u0000',
  "'",
  '"',
  '\\',
  '$',
  '`',
  '*',
  '~',
  '-',
  '#',
  '%2F',
  '%25',
  '2F',
  'ä',
  '日',
  '😀',
];
const oddName = fc.oneof(
  fc.array(fc.constantFrom(...odd, 'a', '3'), { maxLength: 6 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
);
// Names that Event Hubs and Kafka allow.
const ordinaryName = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/);
const partitionOfBroker = fc.tuple(ordinaryName, fc.nat(999)).map(([name, number]) => `${name}/${number}`);
const offset = fc.oneof(fc.nat(99), fc.maxSafeNat(), fc.constantFrom(0, Number.MAX_SAFE_INTEGER));

const ordinary = fc.record({ source: ordinaryName, partition: partitionOfBroker, offset });
const anyPosition = fc.oneof(ordinary, fc.record({ source: oddName, partition: oddName, offset }));

/** All ways to divide the same text into a source, a partition and an offset. */
const alike = fc
  .array(fc.constantFrom('a', 'b', '3', '', '%', '%2F', '-'), { minLength: 3, maxLength: 7 })
  .map((parts): DeliveryPosition[] =>
    parts.slice(1).map((_, at) => ({
      source: parts.slice(0, at + 1).join('/'),
      partition: parts.slice(at + 1).join('/'),
      offset: 0,
    })),
  );

describe('a position', () => {
  it.each<[string, DeliveryPosition]>([
    ['azure/health-events/3/41', { source: 'azure', partition: 'health-events/3', offset: 41 }],
    ['kafka/health.events_v2/0/0', { source: 'kafka', partition: 'health.events_v2/0', offset: 0 }],
    ['files/405ab8b76810ecee/1', { source: 'files', partition: '405ab8b76810ecee', offset: 1 }],
    ['webhook/11/9007199254740991', { source: 'webhook', partition: '11', offset: Number.MAX_SAFE_INTEGER }],
    ['eu%2Fazure/health-events/3/41', { source: 'eu/azure', partition: 'health-events/3', offset: 41 }],
    ['a%2Fb/c/0', { source: 'a/b', partition: 'c', offset: 0 }],
    ['a/b/c/0', { source: 'a', partition: 'b/c', offset: 0 }],
    ['a%252Fb/c/0', { source: 'a%2Fb', partition: 'c', offset: 0 }],
    ['%2Dx/my%20inbox%0A/0', { source: '-x', partition: 'my inbox\n', offset: 0 }],
    ['praxis-süd/C:%5CDaten%5C50%25/7', { source: 'praxis-süd', partition: 'C:\\Daten\\50%', offset: 7 }],
    ['s3/dt=2026-01-01//part+1/0', { source: 's3', partition: 'dt=2026-01-01//part+1', offset: 0 }],
    ['%7E/%E2%80%8B/0', { source: '~', partition: '\u200b', offset: 0 }],
  ])('%s is printed and parsed', (text, position) => {
    expect(positionText(position)).toBe(text);
    expect(parsePosition(text)).toEqual(position);
  });

  it('is parsed to the same source, partition and offset as printed', () => {
    fc.assert(
      fc.property(anyPosition, (position) => {
        expect(parsePosition(positionText(position))).toEqual(position);
      }),
      { numRuns: 2000 },
    );
  });

  it('has no escapes if it is in a hub or a topic', () => {
    fc.assert(
      fc.property(ordinary, (position) => {
        expect(positionText(position)).toBe(`${position.source}/${position.partition}/${position.offset}`);
      }),
    );
  });

  it('has a different text if the source ends at a different slash', () => {
    fc.assert(
      fc.property(alike, (positions) => {
        const texts = positions.map(positionText);
        expect(new Set(texts).size).toBe(positions.length);
        expect(texts.map(parsePosition)).toEqual(positions);
      }),
    );
  });

  it('is one word of a shell, and no option', () => {
    fc.assert(
      fc.property(anyPosition, (position) => {
        const text = positionText(position);
        expect(text).not.toMatch(/^-|[\s'"\\$`*?[\](){}<>|&;!~#^,]/u);
        expect(text).not.toMatch(/\p{C}|\p{Default_Ignorable_Code_Point}/u);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['', 'no slash'],
    ['41', 'no slash'],
    ['health-events/41', 'one slash'],
    ['azure/health-events/3/', 'no offset'],
    ['azure/health-events/3/x', 'an offset that is not a number'],
    ['azure/health-events/3/-1', 'a negative offset'],
    ['azure/health-events/3/4.1', 'a fraction'],
    ['azure/health-events/3/1e3', 'an exponent'],
    ['azure/health-events/3/ 41', 'a space before the offset'],
    ['azure/health-events/3/9007199254740992', 'an offset above 2^53 - 1'],
    ['azure/health-events/3/99999999999999999999', 'an offset above 2^64'],
    ['azure/50%/0', 'a percent sign without digits'],
    ['azure/%zz/0', 'a percent sign with letters that are not hexadecimal digits'],
    ['azure/%FF/0', 'bytes that are not UTF-8'],
  ])('cannot be %j, which has %s', (text) => {
    expect(parsePosition(text)).toBeUndefined();
  });
});
