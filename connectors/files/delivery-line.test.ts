import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Delivery } from '../source.ts';
import { isMeantAsDelivery, LineProblem, readDeliveryLine } from './delivery-line.ts';

const head = '"source":"hub","partition":3,"offset":12,"received_at":"2026-01-02T03:04:05Z","headers":{"a":"b"}';
/** A body that is longer than the start of a line that is decoded at once. */
const long = JSON.stringify({ text: 'x'.repeat(1200), deep: { list: [1, '}', { a: '\\"' }] } });

function read(line: string | Buffer): Delivery | LineProblem {
  return readDeliveryLine(Buffer.from(line as string));
}

function bodyOf(line: string | Buffer): string | undefined {
  const delivery = read(line);
  return delivery instanceof LineProblem ? undefined : delivery.body.toString();
}

describe('a delivery’s body is the exact bytes of the value in the line', () => {
  const spaced = `{ "a" : [ 1 , "}" ] ,\t"b":"\\u00e9é"  }`;
  const cases: Record<string, [line: string, body: string]> = {
    'members in the usual order': [`{${head},"body":${long}}`, long],
    'a short body': [`{${head},"body":{"a":1}}`, '{"a":1}'],
    'spaces around the value are dropped, inside it kept': [`{${head},"body" :  ${spaced} }  \r`, spaced],
    'a number as body': [`{${head},"body":17}`, '17'],
    'a string as body': [`{${head},"body":"}"}`, '"}"'],
    'null as body': [`{${head},"body":null}`, 'null'],
    'an array as body': [`{${head},"body":[${long}]}`, `[${long}]`],
    'the body as first member': [`{"body":${long},${head}}`, long],
    'an unknown member after the body': [`{${head},"body":${long},"note":{"a":{}}}`, long],
    'several members after the body, one containing `"body":`': [
      `{${head},"body":${long},"n":"\\"body\\":{","m":[{"body":{}}]}`,
      long,
    ],
    'a header value that contains `"body":`': [
      `{"source":"hub","partition":3,"offset":12,"received_at":"2026-01-02T03:04:05Z","headers":{"a":"\\"body\\":{}"},"body":${long}}`,
      long,
    ],
    'a header named body': [
      `{"source":"hub","partition":3,"offset":12,"received_at":"2026-01-02T03:04:05Z","headers":{"body":"no"},"body":${long}}`,
      long,
    ],
    'headers after the body': [
      `{"source":"hub","partition":3,"offset":12,"received_at":"2026-01-02T03:04:05Z","body":${long},"headers":{"a":"b"}}`,
      long,
    ],
    'a member name with an escape': [`{${head},"b\\u006fdy":${long}}`, long],
    'an unknown member before the others': [`{"x":{"body":1},${head},"body":${long}}`, long],
    'a body with brackets that do not match, which the parser refuses': [`{${head},"body":{]}`, '{]'],
  };
  for (const [name, [line, body]] of Object.entries(cases)) {
    test(name, () => {
      expect(bodyOf(line)).toBe(body);
      const delivery = read(line) as Delivery;
      expect([delivery.source, delivery.partition, delivery.offset, delivery.inline]).toEqual(['hub', '3', 12, true]);
    });
  }

  test('the members of a delivery line may be in any order, with any white space', () => {
    const known: [string, unknown][] = [
      ['source', 'h"u\\b'],
      ['partition', 'p é'],
      ['offset', 9007199254740990],
      ['received_at', '2026-01-02T03:04:05Z'],
      ['headers', { A: '"body":{', n: 1, yes: true, none: null }],
    ];
    const value = fc.jsonValue({ maxDepth: 3 });
    const big = value.map((inner) => ({ filling: '{'.repeat(600), inner }));
    fc.assert(
      fc.property(
        fc.oneof(value, big),
        fc.dictionary(
          fc.string().filter((name) => !/^(source|partition|offset|received_at|headers|body|body_base64|key)$/.test(name)),
          value,
          { maxKeys: 3 },
        ),
        fc.infiniteStream(fc.nat()),
        fc.constantFrom('', ' ', '\t ', '\r'),
        (body, others, order, space) => {
          const text = JSON.stringify(body);
          const members: [string, string][] = [...known, ...Object.entries(others)].map(([name, inner]) => [
            name,
            JSON.stringify(inner),
          ]);
          members.push(['body', text]);
          const sorted = members.map((member) => ({ member, at: order.next().value as number })).sort((a, b) => a.at - b.at);
          const line = `{${sorted.map(({ member: [name, inner] }) => `${space}${JSON.stringify(name)}${space}:${space}${inner}${space}`).join(',')}}${space}`;
          const delivery = read(line) as Delivery;
          expect(delivery).not.toBeInstanceOf(LineProblem);
          expect(delivery.body.toString()).toBe(text);
          expect([...delivery.headers]).toEqual([
            ['a', '"body":{'],
            ['n', '1'],
            ['yes', 'true'],
          ]);
          expect([delivery.source, delivery.partition, delivery.offset]).toEqual(['h"u\\b', 'p é', 9007199254740990]);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('member names are read correctly, whatever names earlier lines had at the same positions', () => {
    const name = fc.constantFrom(
      'event-type',
      'event-typ',
      'event-type2',
      'Event-Type',
      'EVENT-TYPE',
      'é',
      'Ã',
      '"',
      '\\',
      '\u007f',
    );
    const spelled = name.chain((text) =>
      fc.constantFrom(
        JSON.stringify(text),
        `"${[...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`,
      ),
    );
    const lines = fc.array(
      fc.uniqueArray(spelled, { maxLength: 3, selector: (text) => (JSON.parse(text) as string).toLowerCase() }),
    );
    fc.assert(
      fc.property(lines, (list) => {
        for (const names of list) {
          const headers = names.map((text, value) => `${text}:"${value}"`).join(',');
          const delivery = read(`{${head.replace('"a":"b"', headers)},"body":1}`) as Delivery;
          expect([...delivery.headers]).toEqual(
            names.map((text, value) => [(JSON.parse(text) as string).toLowerCase(), `${value}`]),
          );
        }
      }),
    );
    // The cached name must not match bytes that are not a valid string.
    expect(read(`{${head.replace('"a"', '"Ã"')},"body":1}`)).not.toBeInstanceOf(LineProblem);
    for (const bytes of [[0xc3], [0x0a], []]) {
      const [before, after] = `{${head},"body":1}`.split('"a"').map((text) => Buffer.from(text)) as [Buffer, Buffer];
      const quoted = bytes.length === 0 ? 'a"' : Buffer.from([34, ...bytes, 34]);
      expect(read(Buffer.concat([before, Buffer.from(quoted as never), after]))).toBeInstanceOf(LineProblem);
    }
  });
});

describe('base64 in a delivery line', () => {
  const bytes = Buffer.from([0, 255, 31, 139, 10]);
  test('base64 bodies and header values are decoded', () => {
    const delivery = read(
      `{"source":"hub","partition":"p","offset":0,"received_at":"2026-01-02T03:04:05Z","headers":{"B":{"base64":"${bytes.toString('base64')}"}},"body_base64":"${bytes.toString('base64')}"}`,
    ) as Delivery;
    expect(delivery.body).toEqual(bytes);
    expect(delivery.headers.get('b')).toEqual(bytes);
    expect(delivery.inline).toBe(false);
  });
  test('base64 may lack padding, use the URL alphabet, contain an escaped slash, or be empty', () => {
    const body = (text: string) => (read(`{${head},"body_base64":"${text}"}`) as Delivery).body;
    expect(body('AP8')).toEqual(Buffer.from([0, 255]));
    expect(body('_-8=')).toEqual(Buffer.from([255, 239]));
    expect(body('\\/+8=')).toEqual(Buffer.from([255, 239]));
    expect(body('')).toEqual(Buffer.alloc(0));
  });
  test.each(['A', 'AB=', 'AP8=A', 'A P8=', 'AP8!', '=', '===='])('%s is not valid base64', (text) => {
    expect(read(`{${head},"body_base64":"${text}"}`)).toBeInstanceOf(LineProblem);
  });
});

describe('readDeliveryLine rejects a line with', () => {
  const secret = 'ada@example.org';
  const without = (name: string) =>
    head
      .split(/,(?=")/)
      .filter((member) => !member.startsWith(`"${name}"`))
      .join(',');
  const cases: Record<string, string> = {
    'a number instead of an object': '17',
    'no content': '',
    'an unclosed object': `{${head}`,
    'a closed object in an unclosed one': `{${head},"body":{"a":1}`,
    'a long unclosed body': `{${head},"body":${long.slice(0, -1)}}`,
    'text after the object': `{${head},"body":{}} x`,
    'text after an object with a long body': `{${head},"body":${long}} {"a":{}}`,
    'no body': `{${head}}`,
    'no source': `{${without('source')},"body":1}`,
    'no partition': `{${without('partition')},"body":1}`,
    'no offset': `{${head.replace('"offset"', '"x"')},"body":1}`,
    'no received_at': `{${without('received_at')},"body":1}`,
    'a repeated source': `{"source":"x",${head},"body":1}`,
    'a repeated offset': `{"offset":1,${head},"body":1}`,
    'a repeated body': `{"body":1,${head},"body":${long}}`,
    'a repeated body after a long one': `{${head},"body":${long},"body":{}}`,
    'both body and body_base64': `{${head},"body_base64":"","body":${long}}`,
    'a repeated unknown member': `{"x":1,"x":1,${head},"body":1}`,
    'a repeated header': `{${without('headers')},"headers":{"a":"1","A":"2"},"body":1}`,
    'a header that is an array': `{${without('headers')},"headers":{"a":["${secret}"]},"body":1}`,
    'headers that are a string': `{${without('headers')},"headers":"${secret}","body":1}`,
    'an offset that is a string': `{${without('offset')},"offset":"1","body":1}`,
    'a negative offset': `{${without('offset')},"offset":-1,"body":1}`,
    'an offset with a fraction': `{${without('offset')},"offset":1.5,"body":1}`,
    'an offset with an exponent': `{${without('offset')},"offset":1e3,"body":1}`,
    'an offset too large for the streams': `{${without('offset')},"offset":9007199254740991,"body":1}`,
    'an offset too large to be exact': `{${without('offset')},"offset":9007199254740993,"body":1}`,
    'a partition that is null': `{${without('partition')},"partition":null,"body":1}`,
    'an empty source': `{${without('source')},"source":"","body":1}`,
    'a source that is a number': `{${without('source')},"source":1,"body":1}`,
    'a received_at on a day that does not exist': `{${without('received_at')},"received_at":"2026-02-30T00:00:00Z","body":1}`,
    'a received_at without UTC offset': `{${without('received_at')},"received_at":"2026-02-03T00:00:00","body":1}`,
    'a control character': `{${without('source')},"source":"a\u0001","body":1}`,
    'an invalid escape': `{${without('source')},"source":"\\x","body":1}`,
    'a missing comma': `{${head} "body":1}`,
    'a missing colon': `{${head},"body" 1}`,
    'a trailing comma': `{${head},"body":1,}`,
  };
  for (const [name, line] of Object.entries(cases)) {
    test(name, () => {
      const problem = read(line) as LineProblem;
      expect(problem).toBeInstanceOf(LineProblem);
      expect(problem.text).not.toMatch(/ada|hub|2026|x{3}/);
    });
  }

  test('invalid UTF-8 in the member `source`', () => {
    const line = Buffer.from(`{${without('source')},"source":"a#","body":1}`);
    line[line.indexOf('#')] = 0xff;
    expect(read(line)).toBeInstanceOf(LineProblem);
  });
});

test('the members of a line decide whether it is a delivery', () => {
  expect(isMeantAsDelivery(JSON.parse(`{${head},"body":1}`))).toBe(true);
  expect(isMeantAsDelivery(JSON.parse(`{${head},"body_base64":1}`))).toBe(true);
  expect(isMeantAsDelivery(JSON.parse(`{${head}}`))).toBe(true);
  expect(isMeantAsDelivery(JSON.parse(`{${head.replace('"offset"', '"x"')},"body":1}`))).toBe(true);
  expect(isMeantAsDelivery(JSON.parse(`{${head},"event_type":"x"}`))).toBe(false);
  expect(isMeantAsDelivery({ source: 'x', offset: 1, user_id: 'u' })).toBe(false);
  expect(isMeantAsDelivery([])).toBe(false);
  expect(isMeantAsDelivery(null)).toBe(false);
});
