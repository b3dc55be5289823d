import { expect, test } from 'vitest';
import { filesSourceOptions } from '../../connectors/files/options.ts';
import { limitsOptions, redeliveryWindowOptions, routesOptions } from './options.ts';

test('omitted options have the documented defaults', () => {
  expect(filesSourceOptions.parse({ type: 'files', paths: ['a'] })).toEqual({
    type: 'files',
    name: 'files',
    paths: ['a'],
    follow_links: false,
    poll_s: 5,
  });
  expect(routesOptions.parse(undefined)).toEqual([]);
  expect(redeliveryWindowOptions.parse(undefined)).toEqual({ offsets: 20_000, bytes: 268_435_456, hours: 48 });
  expect(limitsOptions.parse(undefined)).toEqual({ body_bytes: 67_108_864, document_bytes: 268_435_456 });
});

test.each([
  [filesSourceOptions, { type: 'files', paths: [] }],
  [filesSourceOptions, { type: 'files', paths: ['a'], recieved_at: '' }],
  [filesSourceOptions, { type: 'files', paths: ['a'], received_at: 'yesterday' }],
  [routesOptions, [{ prefix: 'a', stream: 'dead_letters' }]],
  [routesOptions, [{ prefix: '', stream: 'sleep' }]],
  [redeliveryWindowOptions, { offsets: -1 }],
  [redeliveryWindowOptions, { offset: 1 }],
  [limitsOptions, { body_bytes: 0 }],
])('invalid options are rejected (case %#)', (options, value) => {
  expect(options.safeParse(value).success).toBe(false);
});
