import { expect, test } from 'vitest';
import { openManagement } from './management.fixture.ts';

test('the management API takes only cursors of the same list and service', async () => {
  const open = openManagement({ seed: 1 });
  const paged = open.service.operations.filter(
    ({ managed, query }) => managed !== undefined && 'next_cursor' in (query?.shape ?? {}),
  );
  expect(paged.length).toBeGreaterThan(1);
  for (let number = 0; number < 51; number++) open.service.teams.create(`team ${number}`, { org_id: open.org_id });
  const { team_id } = open.service.teams.of(open.org_id)[0]!;
  const places: Record<string, string> = {
    org_id: open.org_id,
    team_id,
    env: 'sandbox',
    environment: 'sandbox',
    region: 'us',
  };
  const ask = (path: string, cursor: string) =>
    open.ask(
      'GET',
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => places[name]!),
      {
        headers: { 'x-management-key': open.key },
        query: `?next_cursor=${cursor}`,
      },
    );
  const own = (await open.manage('GET', '/team')).body.next_cursor as string;
  const forged = Buffer.from('[1]').toString('base64url');
  for (const { path } of paged) {
    for (const cursor of [forged, `${forged}.`, `${forged}.${own.split('.')[1]}`, 'x'])
      expect([path, cursor, (await ask(path, cursor)).status]).toEqual([path, cursor, 422]);
    expect([path, (await ask(path, own)).status]).toEqual([path, path.endsWith('/team') ? 200 : 422]);
  }
  await open.close();
});
