import { expect } from 'vitest';
import type { ManagementCall } from './management-calls.ts';
import type { World } from './world.ts';

const created_at = '2026-01-01T12:00:00.000+00:00';
const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;

const pathOf = ({ team }: World): string => `/team/${team}/sandbox/webhook`;

/** Creates a webhook, and returns its path. */
async function newWebhook(world: World, more: object = {}): Promise<string> {
  const { body } = await world.manage('POST', pathOf(world), { body: { url: 'https://x.example/', ...more } });
  return `${pathOf(world)}/${body.id}`;
}

/** How a program manages webhooks, by operation. */
export const webhookManagementCalls: Readonly<Record<string, ManagementCall>> = {
  async list_webhooks(world) {
    const paths = [await newWebhook(world), await newWebhook(world), await newWebhook(world)];
    const first = await world.manage('GET', `${pathOf(world)}?limit=2`);
    const second = await world.manage('GET', `${pathOf(world)}?limit=2&next_cursor=${first.body.next_cursor}`);
    expect([first.status, second.status, second.body.next_cursor]).toEqual([200, 200, null]);
    const listed = [...first.body.data, ...second.body.data].map(({ id }: { readonly id: string }) => `${pathOf(world)}/${id}`);
    expect(listed).toEqual(paths);
  },
  async create_webhook(world) {
    const given = {
      url: 'https://x.example/',
      description: 'd',
      rate_limit: 5,
      disabled: true,
      filter_types: ['daily.data.sleep.created'],
    };
    expect(await world.manage('POST', pathOf(world), { body: { ...given, secret } })).toEqual({
      status: 200,
      body: { ...given, id: expect.any(String), created_at, updated_at: created_at },
    });
  },
  async get_webhook(world) {
    expect(await world.manage('GET', await newWebhook(world))).toMatchObject({
      status: 200,
      body: { url: 'https://x.example/', description: '', rate_limit: null, disabled: false, filter_types: null },
    });
  },
  async update_webhook(world) {
    const path = await newWebhook(world, { rate_limit: 5, filter_types: ['daily.data.sleep.created'] });
    const body = { url: null, description: 'new', disabled: true, rate_limit: null };
    expect(await world.manage('PATCH', path, { body })).toMatchObject({
      status: 200,
      body: {
        url: 'https://x.example/',
        description: 'new',
        disabled: true,
        rate_limit: null,
        filter_types: ['daily.data.sleep.created'],
      },
    });
  },
  async delete_webhook(world) {
    const path = await newWebhook(world);
    expect(await world.manage('DELETE', path)).toEqual({ status: 204, body: undefined });
    expect((await world.manage('GET', path)).status).toBe(404);
  },
  async get_webhook_headers(world) {
    const path = await newWebhook(world);
    await world.manage('PUT', `${path}/headers`, { body: { headers: { 'x-own': '1', authorization: 'Bearer x' } } });
    expect(await world.manage('GET', `${path}/headers`)).toEqual({
      status: 200,
      body: { headers: { 'x-own': '1' }, sensitive: ['authorization'] },
    });
  },
  async update_webhook_headers(world) {
    const path = await newWebhook(world);
    for (const headers of [{ 'x-first': '1' }, { 'x-second': '2' }])
      expect(await world.manage('PUT', `${path}/headers`, { body: { headers } })).toEqual({ status: 204, body: undefined });
    expect((await world.manage('GET', `${path}/headers`)).body.headers).toEqual({ 'x-second': '2' });
  },
  async get_webhook_secret(world) {
    const path = await newWebhook(world, { secret });
    expect(await world.manage('GET', `${path}/secret`)).toEqual({ status: 200, body: { key: secret } });
  },
  async rotate_webhook_secret(world) {
    const path = await newWebhook(world, { secret });
    const key = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
    for (const body of [{ key }, {}])
      expect(await world.manage('POST', `${path}/secret/rotate`, { body })).toEqual({ status: 204, body: undefined });
    const { body } = await world.manage('GET', `${path}/secret`);
    expect([secret, key]).not.toContain(body.key);
  },
};
