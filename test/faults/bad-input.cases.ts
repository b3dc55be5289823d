import { gzipSync, zstdCompressSync } from 'node:zlib';

/** A bad input file and its expected outcome. The table in docs/guides/bad-input.md lists all inputs. */
export interface BadInput {
  readonly name: string;
  readonly content: string | Buffer;
  /** Modification time of the file, which the load then uses. Default: the load states the time of receipt. */
  readonly modified?: string;
  /** Lines of the configuration file. */
  readonly configuration?: string;
  /** Number of events in each stream. The stream `unrouted` stores complete deliveries. */
  readonly kept?: Readonly<Record<string, number>>;
  /** Number of dead letters by reason. */
  readonly dead?: Readonly<Record<string, number>>;
  /** Number of refused parts of stored events, and of values that do not fit their column, by reason. */
  readonly parts?: Readonly<Record<string, number>>;
  /** Number of deliveries with a time of receipt in the future. */
  readonly ahead?: number;
  /** Error code that the load prints. */
  readonly says?: string;
  /** A query that returns one value, and the value that it must return if the stored data equals the input. */
  readonly holds?: readonly [sql: string, value: unknown];
}

/** A value that every event contains. No message may repeat it. */
export const planted = 'Ottilie Planted';
export const at = '2026-03-28T12:00:00Z';

const text = (value: unknown): string => JSON.stringify(value);
const event = (type: string, data: unknown, more: object = {}) => ({ event_type: type, user_id: 'u-1', data, ...more });
const source = { provider: 'oura', type: 'ring' };
const activity = (data: object = {}, more: object = {}) =>
  event('daily.data.activity.created', { id: 'a-1', source, note: planted, ...data }, more);
const glucose = (...samples: unknown[]) => event('daily.data.glucose.created', { source, note: planted, data: samples });
const sample = { timestamp: at, unit: 'mmol/L', value: 5.5 };

/** Returns JSON in which `spelling` replaces `"#"`, because JSON.stringify cannot produce such spellings. */
const spelled = (value: unknown, spelling: string): string => text(value).replace('"#"', () => spelling);
const nested = (levels: number): string => '{"a":'.repeat(levels) + planted.length + '}'.repeat(levels);

let partition = 0;
/** Returns a line of a delivery file, in which `members` come after the receipt and the headers. */
const line = (members: string, headers: object = {}): string =>
  `{"source":"hub","partition":${partition++},"offset":0,"received_at":"${at}","headers":${text(headers)},${members}}\n`;
const inline = (body: unknown, headers?: object): string => line(`"body":${text(body)}`, headers);
const bytes = (body: Buffer, headers?: object): string => line(`"body_base64":"${body.toString('base64')}"`, headers);

const zipped = gzipSync(text(activity()));
const gzip = { 'content-encoding': 'gzip' };
const twoFrames = Buffer.concat([zstdCompressSync(`${text(activity())}\n`), zstdCompressSync(`${text(activity())}\n`)]);
const changed = (whole: Buffer, fromEnd: number): Buffer => {
  const copy = Buffer.from(whole);
  copy[copy.length - fromEnd]! ^= 0xff;
  return copy;
};

const extra = (path: string) => `select json_extract_string(extra, '$."${path}"') from activity`;

export const badInputs: readonly BadInput[] = [
  // Files.
  { name: 'An empty file', content: '', says: 'AORTA-FILE-EMPTY' },
  { name: 'A file of blank lines', content: ' \n\n', says: 'AORTA-FILE-EMPTY' },
  { name: 'A gzip file without content', content: gzipSync(''), says: 'AORTA-FILE-EMPTY' },
  { name: 'JSON that is cut off', content: text(activity()).slice(0, -9), says: 'AORTA-FILE-INCOMPLETE' },
  {
    name: 'JSON over several lines that is cut off',
    content: JSON.stringify(activity(), undefined, 2).slice(0, -9),
    says: 'AORTA-FILE-INCOMPLETE',
  },
  {
    name: 'NDJSON with a last line that is cut off',
    content: `${text(activity())}\n${text(activity()).slice(0, -9)}`,
    kept: { activity: 1 },
    says: 'AORTA-FILE-INCOMPLETE',
  },
  {
    name: 'NDJSON with a line that is cut off, and has its line end',
    content: `${text(activity())}\n${text(activity()).slice(0, -9)}\n`,
    kept: { activity: 1 },
    dead: { not_json: 1 },
  },
  {
    name: 'NDJSON with a last line without a line end that is not JSON',
    content: `${text(activity())}\n${planted}`,
    kept: { activity: 1 },
    says: 'AORTA-FILE-INCOMPLETE',
  },
  {
    name: 'NDJSON with a last line without a line end that is one whole event',
    content: `${text(activity())}\n${text(activity())}`,
    kept: { activity: 2 },
  },
  {
    name: 'An array that is cut off',
    content: `[${text(activity())},${text(activity()).slice(0, -9)}`,
    says: 'AORTA-FILE-INCOMPLETE',
  },
  { name: 'Text without JSON objects, such as CSV', content: `name,steps\n${planted},1\n`, says: 'AORTA-FILE-FORMAT' },
  { name: 'A web page', content: `<!doctype html>\n<html>${planted}</html>\n`, says: 'AORTA-FILE-FORMAT' },
  { name: 'Latin-1', content: Buffer.from(text(activity({ title: 'é' })), 'latin1'), dead: { not_utf8: 1 } },
  {
    name: 'A binary file, such as an image',
    content: Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
      Buffer.alloc(9000, Buffer.from([0, 255, 10])),
    ]),
    says: 'AORTA-FILE-FORMAT',
  },
  { name: 'UTF-16', content: Buffer.from(`\ufeff${text(activity())}`, 'utf16le'), says: 'AORTA-FILE-FORMAT' },
  {
    name: 'A compression or an archive that Aorta does not read, such as xz or ZIP',
    content: Buffer.from('\xfd7zXZ\0\0\x04\xe6\xd6\xb4\x46', 'latin1'),
    says: 'AORTA-FILE-FORMAT',
  },
  {
    name: 'A byte order mark at the start of the file or of a line',
    content: `\ufeff${text(activity())}\n\ufeff${text(activity())}\n`,
    kept: { activity: 2 },
  },
  {
    name: 'A gzip file that is cut off',
    content: gzipSync(`${text(activity())}\n`).subarray(0, -6),
    kept: { activity: 1 },
    says: 'AORTA-FILE-COMPRESSION',
  },
  {
    name: 'A gzip file with a wrong checksum',
    content: changed(gzipSync(`${text(activity())}\n`), 6),
    kept: { activity: 1 },
    says: 'AORTA-FILE-COMPRESSION',
  },
  {
    name: 'Other bytes after the gzip data',
    content: Buffer.concat([gzipSync(`${text(activity())}\n`), Buffer.from(planted)]),
    kept: { activity: 1 },
    says: 'AORTA-FILE-COMPRESSION',
  },
  {
    name: 'A zstd file of two frames that is cut off',
    content: twoFrames.subarray(0, -3),
    kept: { activity: 1 },
    says: 'AORTA-FILE-COMPRESSION',
  },
  { name: 'Only the first bytes of gzip', content: Buffer.from([0x1f, 0x8b, 1, 2, 3]), says: 'AORTA-FILE-COMPRESSION' },
  {
    name: 'A document beyond `limits.document_bytes`',
    content: `[${' '.repeat(2000)}${text(activity())}]`,
    configuration: 'limits: { document_bytes: 1000 }',
    says: 'AORTA-FILE-TOO-LARGE',
  },
  {
    name: 'A line beyond `limits.document_bytes`',
    content: `${text(activity())}\n${' '.repeat(2000)}\n${text(activity())}\n`,
    configuration: 'limits: { document_bytes: 1000 }',
    kept: { activity: 2 },
    says: 'AORTA-FILE-TOO-LARGE',
  },
  {
    name: 'A small gzip file of one endless line',
    content: gzipSync(Buffer.alloc(64 << 20, ' ')),
    configuration: 'limits: { document_bytes: 1000000 }',
    says: 'AORTA-FILE-TOO-LARGE',
  },
  {
    name: 'An endless line after a good one, in a small gzip file',
    content: gzipSync(Buffer.concat([Buffer.from(`${text(activity())}\n`), Buffer.alloc(64 << 20, ' ')])),
    configuration: 'limits: { document_bytes: 1000000 }',
    kept: { activity: 1 },
    says: 'AORTA-FILE-ENDLESS',
  },
  {
    name: 'A plain event file with a modification time in the future',
    content: `${text(activity())}\n`,
    modified: '2069-01-01T00:00:00Z',
    says: 'AORTA-FILE-AHEAD',
  },
  {
    name: 'A plain event file with a modification time before its samples',
    content: `${text(glucose(sample))}\n`,
    modified: '1970-01-01T00:00:00Z',
    says: 'AORTA-FILE-BEHIND',
  },
  {
    name: 'A delivery file with a modification time in the future',
    content: inline(activity()),
    modified: '2069-01-01T00:00:00Z',
    kept: { activity: 1 },
  },
  // Lines of delivery files.
  {
    name: 'A delivery line with a time of receipt in the future',
    content: inline(activity()).replace(at, '2206-01-01T00:00:00Z'),
    kept: { activity: 1 },
    ahead: 1,
  },
  {
    name: 'A delivery line without its offset',
    content: inline(activity()).replace('"offset":0,', ''),
    ...noDelivery(),
  },
  {
    name: 'A delivery file with a last line that is cut off',
    content: `${inline(activity())}${inline(activity()).slice(0, -3)}`,
    kept: { activity: 1 },
    says: 'AORTA-FILE-INCOMPLETE',
  },
  { name: 'A delivery line with a duplicate member', content: line(`"source":"x","body":${text(activity())}`), ...noDelivery() },
  { name: 'A delivery line with a duplicate header', content: inline(activity(), { A: '1', a: '2' }), ...noDelivery() },
  {
    name: 'A nested header',
    content: inline(activity()).replace('"headers":{}', `"headers":{"a":${nested(10_000)}}`),
    ...noDelivery(),
  },
  { name: 'A header with half a surrogate pair', content: inline(activity(), { 'user-id': 'u\ud800' }), ...noDelivery() },
  {
    name: 'A header called `__proto__`',
    content: line(`"body":${text(event('made.up', {}))}`).replace('"headers":{}', '"headers":{"__proto__":"kept"}'),
    kept: { unrouted: 1 },
  },
  // Compression of bodies.
  { name: 'A body that is marked as gzip but is not', content: bytes(Buffer.from(planted), gzip), dead: { not_gzip: 1 } },
  { name: 'A gzip body with a wrong checksum', content: bytes(changed(zipped, 6), gzip), dead: { not_gzip: 1 } },
  { name: 'A gzip body that is cut off', content: bytes(zipped.subarray(0, -12), gzip), dead: { not_gzip: 1 } },
  { name: 'A gzip body that is not marked as gzip', content: bytes(zipped), kept: { activity: 1 } },
  {
    name: 'A small gzip body that inflates beyond `limits.body_bytes`',
    content: bytes(gzipSync(Buffer.alloc(64 << 20, ' ')), gzip),
    configuration: 'limits: { body_bytes: 1000000 }',
    dead: { body_too_large: 1 },
  },
  // Envelopes.
  { name: 'A body that is not an object', content: '[[]]', dead: { not_an_event: 1 } },
  { name: 'An event type that no route matches', content: text(event('made.up', {})), kept: { unrouted: 1 } },
  {
    name: 'An event type with an ending that no stream reads',
    content: `${text(activity())}\n${text(event('daily.data.activity.deleted', { id: 'a-1' }))}\n`,
    kept: { activity: 1, unrouted: 1 },
    holds: ['select provider from activity', 'oura'],
  },
  { name: 'No event type', content: text({ user_id: 'u-1', data: {} }), dead: { no_event_type: 1 } },
  { name: 'No user', content: text({ ...activity(), user_id: undefined }), dead: { no_user_id: 1 } },
  { name: 'No data', content: text({ ...activity(), data: undefined }), dead: { no_data: 1 } },
  { name: 'A summary without its id', content: text(activity({ id: undefined })), dead: { no_id: 1 } },
  { name: 'A batch without samples', content: text(event('daily.data.glucose.created', {})), dead: { no_samples: 1 } },
  {
    name: 'Header and body with different event types',
    content: inline(activity(), { 'event-type': 'daily.data.sleep.created' }),
    dead: { event_type_disagrees: 1 },
  },
  {
    name: 'Header and body with different users',
    content: inline(activity(), { 'user-id': planted }),
    dead: { user_disagrees: 1 },
  },
  { name: 'An event type with half a surrogate pair', content: text(event('made.up\ud800', {})), dead: { no_event_type: 1 } },
  { name: 'A user with half a surrogate pair', content: text({ ...activity(), user_id: '\udfff' }), dead: { no_user_id: 1 } },
  {
    name: 'A duplicate member: the last one counts',
    content: spelled(activity({ steps: '#' }), '1,"steps":2'),
    kept: { activity: 1 },
    holds: ['select steps from activity', 2],
  },
  {
    name: 'A member called `__proto__`',
    content: spelled(activity({ steps: '#' }), '1,"__proto__":{"steps":2}'),
    kept: { activity: 1 },
    holds: [extra('data.__proto__'), '{"steps":2}'],
  },
  // Values.
  {
    name: 'Two bad samples among good ones',
    content: text(glucose(sample, 5, { ...sample, timestamp: planted }, { ...sample, timestamp: '2026-03-28T12:05:00Z' })),
    kept: { timeseries: 1 },
    parts: { sample_not_an_object: 1, sample_without_time: 1 },
    holds: ['select count(*) from timeseries', 2],
  },
  {
    name: 'A number too large for a double (1e400)',
    content: spelled(activity({ distance: '#' }), '1e400'),
    kept: { activity: 1 },
    parts: { value_does_not_fit: 1 },
    holds: [extra('data.distance'), '1e400'],
  },
  {
    name: 'A number too large for a double, in a sample',
    content: spelled(glucose({ ...sample, value: '#' }), '-1e400'),
    kept: { timeseries: 1 },
    parts: { value_does_not_fit: 1 },
    holds: [`select json_extract_string(sample_extra, '$.value') from timeseries`, '-1e400'],
  },
  {
    name: 'An integer beyond 64 bits',
    content: spelled(activity({ steps: '#' }), '18446744073709551617'),
    kept: { activity: 1 },
    parts: { value_does_not_fit: 1 },
    holds: [extra('data.steps'), '18446744073709551617'],
  },
  {
    name: 'An integer beyond 2^53, in a member without a column',
    content: spelled(activity({ made_up: { at: ['#'] } }), '9007199254740993'),
    kept: { activity: 1 },
    holds: [extra('data.made_up'), '{"at":["9007199254740993"]}'],
  },
  {
    name: '`"NaN"` as a string',
    content: text(glucose({ ...sample, value: 'NaN' })),
    kept: { timeseries: 1 },
    parts: { value_does_not_fit: 1 },
    holds: ['select value is null from timeseries', true],
  },
  {
    name: '`NaN` without quotes, which is not JSON',
    content: `${spelled(glucose({ ...sample, value: '#' }), 'NaN')}\n`,
    dead: { not_json: 1 },
  },
  {
    name: 'A string with half a surrogate pair',
    content: text(activity({ time_zone: 'x\ud800', 'k\ud800': 1 })),
    kept: { activity: 1 },
    parts: { value_does_not_fit: 1 },
    holds: [extra('data.time_zone'), 'x\\ud800'],
  },
  ...(
    [
      ['year 0', '0000-01-01T00:00:00Z', 'sample_time_out_of_range'],
      ['year 9999', '9999-12-31T23:59:59Z', 'sample_time_out_of_range'],
      ['a day that does not exist', '2026-02-30T00:00:00Z', 'sample_without_time'],
      ['an offset of a day', '2026-03-28T12:00:00+24:00', 'sample_without_time'],
    ] as const
  ).map(
    ([name, timestamp, reason]): BadInput => ({
      name: `A sample's time in ${name}`.replace('in a', 'with a'),
      content: text(glucose({ ...sample, timestamp })),
      kept: { timeseries: 1 },
      parts: { [reason]: 1 },
    }),
  ),
  {
    name: 'A date in year 0',
    content: text(activity({ calendar_date: '0000-01-01' })),
    kept: { activity: 1 },
    parts: { value_does_not_fit: 1 },
  },
  {
    name: 'A date in year 9999',
    content: text(activity({ calendar_date: '9999-12-31' })),
    kept: { activity: 1 },
    holds: ['select calendar_date::varchar from activity', '9999-12-31'],
  },
  {
    name: 'A leap second, kept as the first second of the next minute',
    content: text(glucose({ ...sample, timestamp: '2016-12-31T23:59:60Z' })),
    kept: { timeseries: 1 },
    holds: ['select epoch(start_at)::integer from timeseries', Date.UTC(2017, 0) / 1000],
  },
  {
    name: 'Two readings in the hour that local times repeat when clocks go back',
    content: text(
      event('daily.data.glucose.created', {
        source: { provider: 'freestyle_libre', type: 'cgm' },
        data: [
          { timestamp: '2025-10-26T02:15:00Z', timezone_offset: 7200, value: 5.4 },
          { timestamp: '2025-10-26T02:15:00Z', timezone_offset: 3600, value: 9.8 },
        ],
      }),
    ),
    kept: { timeseries: 1 },
    parts: { sample_key_repeated: 1 },
    holds: ['select value from timeseries', 9.8],
  },
  {
    name: 'A time zone offset of 18 hours',
    content: text(glucose({ ...sample, timestamp: '2026-03-28T12:00:00+18:00', timezone_offset: 64_800 })),
    kept: { timeseries: 1 },
    holds: ['select local_date::varchar from timeseries', '2026-03-28'],
  },
  {
    name: 'A time zone offset beyond 18 hours',
    content: text(glucose({ ...sample, timezone_offset: 86_400_000 })),
    kept: { timeseries: 1 },
    parts: { value_does_not_fit: 1 },
    holds: ['select local_date is null from timeseries', true],
  },
  {
    name: 'A member nested deeper than 500 levels',
    content: spelled(activity({ made_up: '#', steps: 7 }), nested(10_000)),
    kept: { activity: 1 },
    parts: { nested_too_deep: 1 },
    holds: ['select steps from activity', 7],
  },
  {
    name: 'A sample with a member nested deeper than 500 levels',
    content: spelled(glucose({ ...sample, made_up: '#' }), nested(10_000)),
    kept: { timeseries: 1 },
    parts: { nested_too_deep: 1 },
    holds: ['select value from timeseries', 5.5],
  },
  {
    name: 'A number too large for a double, next to a deeply nested member',
    content: spelled(activity({ distance: '#', made_up: '##', steps: 7 }), '1e400').replace('"##"', nested(10_000)),
    kept: { activity: 1 },
    parts: { number_not_exact: 1, nested_too_deep: 1 },
    holds: ['select steps from activity', 7],
  },
  {
    name: 'A member nested 490 levels deep',
    content: spelled(activity({ made_up: '#' }), nested(490)),
    kept: { activity: 1 },
    holds: ['select length(extra::varchar) > 490 * 6 from activity', true],
  },
];

function noDelivery(): Pick<BadInput, 'dead' | 'says'> {
  return { dead: { not_a_delivery: 1 }, says: 'AORTA-FILE-ENTRY' };
}

/** Returns the expected exit codes for loading the file, first without and then with `--strict`. */
export function exitCodes({ says, dead, parts = {} }: BadInput): readonly [plain: number, strict: number] {
  if (says !== undefined && says !== 'AORTA-FILE-EMPTY' && says !== 'AORTA-FILE-ENTRY') return [1, 1];
  const { value_does_not_fit: _, sample_key_repeated: __, ...refused } = parts;
  return [0, dead !== undefined || Object.keys(refused).length > 0 ? 3 : 0];
}

/** Returns the row that the table in the guide must have for this input. */
export function documented(input: BadInput): string {
  const counts = (of: Readonly<Record<string, number>> = {}, word: string) =>
    Object.keys(of).map((name) => `${word} \`${name}\``);
  const becomes = [
    ...Object.keys(input.kept ?? {}).map((stream) =>
      stream === 'unrouted' ? 'kept whole as `unrouted`' : `kept in \`${stream}\``,
    ),
    ...counts(input.dead, 'dead letter'),
    ...counts(input.parts, 'part'),
    ...(input.kept === undefined && input.dead === undefined ? ['no delivery'] : []),
  ];
  const [plain, strict] = exitCodes(input);
  return `| ${input.name} | ${becomes.join(', ')} | ${input.says === undefined ? '' : `\`${input.says}\``} | ${plain === strict ? plain : `${plain}, ${strict} under \`--strict\``} |`;
}
