import { expect, test } from 'vitest';
import { MINUTE, openLab } from './orders.fixture.ts';

test('each change has a later updated_at, even in the same millisecond', async () => {
  await using lab = openLab();
  const get = async (id: string) => (await lab.ask('GET', `/v3/order/${id}`)).body;
  const simulated = await lab.order('walk_in_test');
  await lab.ask('POST', `/v3/order/${simulated}/test`, { interpretation: 'critical' });
  await lab.pass(MINUTE);
  const cancelled = await lab.order('testkit', { activate_by: '2026-02-01' });
  await lab.ask('PATCH', `/v3/order/${cancelled}`, { activate_by: '2026-03-01' });
  await lab.ask('POST', `/v3/order/${cancelled}/cancel`);
  for (const id of [simulated, cancelled]) {
    const versions = lab.told('labtest.order').filter(({ data }) => data.id === id);
    expect(new Set(versions.map(({ created_at }) => created_at)).size).toBe(1);
    const times = versions.map(({ data }) => Date.parse(data.updated_at));
    expect(times.length).toBeGreaterThan(2);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect((await get(id)).updated_at).toBe(versions.at(-1)!.data.updated_at);
  }
  const [critical] = lab.told('labtest.result.critical');
  expect(critical!.data.updated_at).toBe((await get(simulated)).updated_at);
});
