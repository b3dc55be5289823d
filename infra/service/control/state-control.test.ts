import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Service } from '../service.ts';
import { Database } from '../storage/database.ts';
import { controlOperations } from './control-operations.ts';
import { createControl } from './control-server.ts';

test('a snapshot that is not a state of this format is refused with status 409, and the state stays', async () => {
  const snapshots = mkdtempSync(join(tmpdir(), 'aorta-snapshots-'));
  const service = new Service({ runs: false, snapshots });
  const control = createControl(controlOperations(service));
  const restored = async (name: string) => {
    const answer = await control.inject({ method: 'POST', url: `/snapshots/${name}/restore`, payload: {} });
    return { status: answer.statusCode, detail: (answer.json() as { detail: string }).detail };
  };
  try {
    service.teams.create('first');
    await service.snapshots.save('old');
    const file = Database.open(join(snapshots, 'old.snapshot'));
    file.run('pragma user_version = 1');
    file.close();
    writeFileSync(join(snapshots, 'text.snapshot'), 'no database');
    expect(await restored('old')).toEqual({
      status: 409,
      detail: expect.stringMatching(/^The snapshot old has format 1, and this version of the service reads \d+\. Delete it, /),
    });
    expect(await restored('text')).toEqual({
      status: 409,
      detail: expect.stringMatching(/^The snapshot text is not a SQLite database\. /),
    });
    expect(service.teams.list()).toHaveLength(1);
  } finally {
    await control.close();
    await service.close();
    rmSync(snapshots, { recursive: true, force: true });
  }
});
