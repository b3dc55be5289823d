import dns, { type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { controlOperations } from '../control/control-operations.ts';
import { createControl } from '../control/control-server.ts';
import { managedTeam } from '../management/webhooks.fixture.ts';
import { Service, type ServiceOptions } from '../service.ts';
import type { User } from '../users/users.ts';

/** Addresses by host name. Other names do not resolve. */
const names: Record<string, readonly string[]> = { '127.0.0.1': ['127.0.0.1'] };
function lookedUp(name: string, _: object, done: (error: Error | null, found: LookupAddress[]) => void): void {
  const found = (names[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  done(found.length === 0 ? Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }) : null, found);
}

const server = createServer((request, response) => {
  got.push(request.headers.host!);
  response.writeHead(request.url === '/away' ? 302 : 204, { location: 'http://169.254.169.254/' }).end();
});
const got: string[] = [];
const services: Service[] = [];
let port: number;
beforeEach(async () => {
  got.length = 0;
  vi.spyOn(dns, 'lookup').mockImplementation(lookedUp as never);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
  vi.restoreAllMocks();
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

function started(options: ServiceOptions = {}) {
  const service = new Service({ start: Date.UTC(2026, 0, 1), runs: false, ...options });
  services.push(service);
  const team = service.teams.create('first').team_id;
  const user = service.users.create(team, 'c', {}) as User;
  const control = createControl(controlOperations(service));
  const post = async (url: string, payload: object) => {
    const { statusCode, payload: text } = await control.inject({ method: 'POST', url, payload });
    return { status: statusCode, body: JSON.parse(text) };
  };
  /** Sends an event to all endpoints, and returns the status of the attempt at one of them. */
  const deliveredTo = async (endpoint: string) => {
    service.outbox.add(user, 'a', {});
    await service.jobs.settle();
    return service.deliveries.to(endpoint).at(-1)!.last_status;
  };
  return { service, team, control, post, deliveredTo };
}

const spellings = [
  '169.254.169.254',
  '169.254.0.1',
  '169.254.255.255',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '169.254.43518',
  '0xA9.254.0251.254',
  '169.254.169.254.',
  '１６９.254.169.254',
  '169%2e254.169.254',
  'user@169.254.169.254',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[0:0:0:0:0:FFFF:A9FE:A9FE]',
  '[::169.254.169.254]',
  '[64:ff9b::a9fe:a9fe]',
  '[2002:a9fe:a9fe::1]',
  '[fe80::1]',
  '[FEBF::1]',
  '[fe80:0:0:0:1:2:3:4]',
  '[64:ff9b:1::a9fe:a9fe]',
  '[::ffff:0:169.254.169.254]',
  '[::5efe:169.254.169.254]',
  '[fd00:ec2::254]',
];

const refused = {
  status: 422,
  body: {
    detail: [{ loc: ['body', 'url'], msg: expect.stringContaining('--allow-link-local'), type: 'value_error' }],
  },
};

test('the control port refuses link-local addresses in all spellings, for a new and a changed endpoint', async () => {
  const { service, team, post } = started();
  const { endpoint_id, url } = service.endpoints.create(team, { url: 'http://127.0.0.1:1/' });
  for (const host of spellings) {
    expect(await post('/webhooks', { team_id: team, url: `http://${host}/latest` }), host).toEqual(refused);
    expect(await post(`/webhooks/${endpoint_id}/update`, { url: `https://${host}:8443/` }), host).toEqual(refused);
  }
  expect(service.endpoints.list()).toMatchObject([{ endpoint_id, url }]);
});

test('the management API refuses them in the form of its other refusals', async () => {
  const { manage, close } = managedTeam();
  onTestFinished(close);
  const { body } = await manage('POST', '', { url: 'http://x/' });
  for (const host of spellings) {
    expect(await manage('POST', '', { url: `http://${host}/` })).toMatchObject(refused);
    expect(await manage('PATCH', `/${body.id}`, { url: `http://${host}/` })).toMatchObject(refused);
  }
  expect((await manage('GET', '')).body.data).toMatchObject([{ url: 'http://x/' }]);
});

test('no attempt goes to such an address of an endpoint from an earlier state', async () => {
  const { service, team, deliveredTo } = started();
  const { endpoint_id } = service.endpoints.create(team, { url: 'http://x' });
  const find = service.endpoints.find.bind(service.endpoints);
  const found = vi.spyOn(service.endpoints, 'find');
  for (const host of spellings) {
    service.endpoints.checked(endpoint_id, false);
    found.mockImplementation((id) => ({ ...find(id)!, url: `http://${host}:${port}/` }));
    expect(await deliveredTo(endpoint_id), host).toBe(0);
    expect(service.endpoints.refusal(endpoint_id), host).toContain('link-local');
  }
});

test.each([
  [['169.254.169.254']],
  [['fe80::1%1']],
  [['fe80::1']],
  [['::ffff:169.254.169.254']],
  [['127.0.0.1', '169.254.169.254']],
  [['fe80::1', '127.0.0.1']],
])('no attempt goes to a name that leads to %j, and the endpoint says why until it works', async (addresses) => {
  const { service, team, control, deliveredTo } = started();
  names['hook.test'] = ['127.0.0.1'];
  const { endpoint_id } = service.endpoints.create(team, { url: `http://hook.test:${port}/` });
  const shown = async () => (await control.inject(`/webhooks/${endpoint_id}`)).json();
  names['hook.test'] = addresses;
  expect(await deliveredTo(endpoint_id)).toBe(0);
  expect(got).toEqual([]);
  expect((await shown()).problem).toContain('--allow-link-local');
  names['hook.test'] = ['127.0.0.1'];
  expect(await deliveredTo(endpoint_id)).toBe(204);
  expect((await shown()).problem).toBeUndefined();
  expect(got).toContain(`hook.test:${port}`);
});

test('loopback and private addresses get webhooks, and redirects to a link-local address are not followed', async () => {
  const { service, team, post, deliveredTo } = started();
  names['private.test'] = ['127.0.0.1'];
  for (const url of [`http://127.0.0.1:${port}/`, `http://private.test:${port}/`, `http://[::ffff:127.0.0.1]:${port}/`]) {
    const { endpoint_id } = service.endpoints.create(team, { url });
    expect([url, await deliveredTo(endpoint_id)]).toEqual([url, 204]);
  }
  for (const host of ['10.0.0.1', '192.168.1.1', '172.16.0.1', '[fd00::1]', '[::1]', '169.253.1.1', '[fec0::1]', 'x.test'])
    expect((await post('/webhooks', { team_id: team, url: `http://${host}/`, disabled: true })).status).toBe(200);
  const { endpoint_id } = service.endpoints.create(team, { url: `http://127.0.0.1:${port}/away` });
  expect(await deliveredTo(endpoint_id)).toBe(302);
});

test('with the setting, link-local addresses are accepted, and names that lead to them are connected', async () => {
  const { service, team, post, deliveredTo } = started({ allowLinkLocal: true });
  for (const host of spellings) {
    const url = `http://${host}/`;
    expect((await post('/webhooks', { team_id: team, url, disabled: true })).status, host).toBe(200);
  }
  names['hook.test'] = ['127.0.0.1', '169.254.169.254'];
  const { endpoint_id } = service.endpoints.create(team, { url: `http://hook.test:${port}/` });
  expect(await deliveredTo(endpoint_id)).toBe(204);
});
