import { expect, test } from 'vitest';
import { faultRuleSchema } from '../faults/fault-rule.ts';
import { Service } from '../service.ts';

test('the Date header of every answer has the virtual time', async () => {
  const service = new Service({ start: Date.UTC(2026, 0, 1), runs: false });
  const api = await service.serve();
  const headers = { 'x-service-api-key': service.teams.create('first').api_key };
  const date = async (path: string, own = headers) => (await fetch(`${api.url}${path}`, { headers: own })).headers.get('date');
  try {
    await service.jobs.advanceTo(Date.UTC(2026, 0, 3, 12, 30));
    const match = { path: '/v3/orders' };
    service.faults.add(faultRuleSchema.parse({ on: 'operation', match, effect: { kind: 'answer', body: {} } }));
    const wrong = { 'x-service-api-key': 'wrong' };
    expect([
      await date('/v2/user'),
      await date('/v2/user', wrong),
      await date('/v3/orders'),
      await date('/nothing'),
      await date('/openapi.json'),
    ]).toEqual(Array.from({ length: 5 }, () => 'Sat, 03 Jan 2026 12:30:00 GMT'));
  } finally {
    await api.close();
    await service.close();
  }
});
