import { expect, test } from 'vitest';
import { hostNameSchema, refusalOf } from './request-source.ts';

/** Returns the header for which a request is refused. `at` is the address on which its connection arrived. */
function refusedFor(headers: { readonly host?: string; readonly origin?: string }, at: string, allowed: string[] = []) {
  const refusal = refusalOf({ headers, socket: { localAddress: at } as never }, allowed);
  return refusal === undefined ? undefined : /header (\w+)/.exec(refusal)?.[1];
}

test.each([
  ['127.0.0.1', '10.1.2.3', 'Host'],
  ['::ffff:127.0.0.1', '10.1.2.3', 'Host'],
  ['::1', '[fd00::1]', 'Host'],
  ['127.0.0.2', '127.0.0.2:9464', undefined],
  ['10.1.2.3', '10.1.2.3:9464', undefined],
  ['::ffff:10.1.2.3', '10.1.2.3', undefined],
  // The address of the node, which leads to the pod.
  ['10.1.2.3', '192.168.7.7:30464', undefined],
  ['fd00::1', '[fd00::1]:9464', undefined],
  ['10.1.2.3', 'localhost:9464', undefined],
  ['10.1.2.3', 'aorta:9464', 'Host'],
  ['10.1.2.3', '10.1.2.3.evil.example', 'Host'],
])('a connection to %s with Host %s is refused for: %s', (at, host, header) => {
  expect(refusedFor({ host }, at)).toBe(header);
});

test('a name is allowed in Host and in Origin, in any case and with any port', () => {
  for (const host of ['aorta', 'AORTA:9464', 'aorta.', '[fd00::7]:80']) {
    expect([host, refusedFor({ host }, '127.0.0.1', ['Aorta', '[fd00::7]'])]).toEqual([host, undefined]);
  }
  const ofPage = (origin: string) => refusedFor({ host: 'localhost', origin }, '127.0.0.1', ['aorta', 'localhost']);
  for (const origin of ['http://aorta', 'https://aorta:3000', 'http://localhost:5173']) expect(ofPage(origin)).toBeUndefined();
  for (const origin of ['http://aorta.evil.example', 'ftp://aorta', 'aorta', 'null']) expect(ofPage(origin)).toBe('Origin');
});

test('a setting names a host without a port', () => {
  for (const name of ['aorta', 'a-b.c_d', '10.0.0.1', '[fd00::1]']) expect(hostNameSchema.parse(name)).toBe(name);
  expect(hostNameSchema.parse('fd00::80')).toBe('[fd00::80]');
  for (const name of ['', 'aorta:80', '[::1]:80', 'http://aorta', 'aorta/', '*', '*.aorta', 'a b', 'a@b', '[x]'])
    expect([name, hostNameSchema.safeParse(name).success]).toEqual([name, false]);
});
