import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskOperations, type FileOperations } from '../../infra/runtime/files/file-operations.ts';
import { streamLogConformance } from '../streams/conformance.fixture.ts';
import { openLocalLogOn } from './local-log.ts';

streamLogConformance('local segments', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aorta-conformance-'));
  let refused = false;
  const operations: FileOperations = {
    ...diskOperations,
    openSegment: async (path, flags) => {
      if (refused) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      const file = await diskOperations.openSegment(path, flags);
      return new Proxy(file, {
        get: (target, name) => {
          if (name === 'write' && refused) return () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
          const member = Reflect.get(target, name) as unknown;
          return typeof member === 'function' ? member.bind(target) : member;
        },
      });
    },
  };
  return {
    carried: new Map(),
    group: 'warehouse',
    open: () => openLocalLogOn({ folder }, operations),
    remake: async (stream) => {
      await rm(join(folder, stream), { recursive: true });
      await rm(join(folder, 'ends.ndjson'));
    },
    refuse: (now) => {
      refused = now;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
});
