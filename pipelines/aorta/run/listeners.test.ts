import type { SourceAdapter } from '@aorta/connectors';
import { builtIn, composeRegistry } from '@aorta/connectors/registry';
import { type ErrorCatalogue, errorFields, errorsOf, silentLogger } from '@aorta/runtime';
import { expect, test } from 'vitest';
import { FileError } from '../../../connectors/files/errors.ts';
import { errorCatalogue, errorCatalogueOf } from '../catalogues.ts';
import { Announcer, type DeadLettersEvent, type ErrorEvent, type ProgressEvent } from './listeners.ts';

const counts = { received: 3, redelivered: 1, streams: { activity: 1 }, unrouted: 0, dead_letters: { no_id: 1 }, partial: {} };

test('a progress event contains the counts of deliveries, and none is sent if the counts are unchanged', () => {
  const heard: ProgressEvent[] = [];
  const announcer = new Announcer({ progress: (event) => heard.push(event) });
  announcer.tell(counts);
  announcer.tell(counts);
  expect(heard).toEqual([{ received: 3, kept: 1, redelivered: 1, unrouted: 0, deadLetters: 1 }]);
});

test('a dead-letter event contains the reason, the number of new dead letters and the total', () => {
  const heard: DeadLettersEvent[] = [];
  const announcer = new Announcer({ deadLetters: (event) => heard.push(event) });
  announcer.tell(counts);
  announcer.tell({ ...counts, received: 9, dead_letters: { no_id: 3 }, partial: { bad_sample: 2, value_does_not_fit: 4 } });
  expect(heard).toEqual([
    { reason: 'no_id', added: 1, total: 1 },
    { reason: 'no_id', added: 2, total: 3 },
    { reason: 'bad_sample', added: 2, total: 2 },
  ]);
});

test('only a log line with an error code from the catalogue becomes an error event', () => {
  const heard: ErrorEvent[] = [];
  const logger = new Announcer({ error: (event) => heard.push(event) }).hearing(silentLogger, errorCatalogue);
  logger.warn('source not loaded completely', errorFields(new FileError('AORTA-FILE-EMPTY', { file: 'a.json' })));
  logger.warn('slow', { seconds: 3 });
  logger.error('broken', errorFields(new Error('a value')));
  expect(heard).toEqual([
    {
      code: 'AORTA-FILE-EMPTY',
      class: 'data',
      message: 'a.json is empty.',
      remedy: expect.stringContaining('Nothing to do'),
    },
  ]);
});

test('an error from a custom adapter becomes an error event with its own code', () => {
  const acmeErrors = {
    'ACME-LATE': { class: 'transient', message: 'Late.', remedy: 'Wait.' },
  } as const satisfies ErrorCatalogue;
  const AcmeError = errorsOf(acmeErrors);
  const own: SourceAdapter = { ...builtIn.sources[0]!, type: 'acme', errors: acmeErrors };
  const catalogue = errorCatalogueOf(composeRegistry({ sources: [...builtIn.sources, own] }));
  const heard: ErrorEvent[] = [];
  const logger = new Announcer({ error: (event) => heard.push(event) }).hearing(silentLogger, catalogue);
  logger.warn('late', errorFields(new AcmeError('ACME-LATE')));
  expect(heard).toEqual([{ code: 'ACME-LATE', class: 'transient', message: 'Late.', remedy: 'Wait.' }]);
});

test('if a listener throws, the work is aborted and the listener is not called again', () => {
  const failure = new Error('mine');
  let calls = 0;
  const announcer = new Announcer({
    progress: () => {
      calls += 1;
      throw failure;
    },
  });
  const signal = announcer.signalWith(undefined);
  announcer.tell(counts);
  announcer.tell({ ...counts, received: 4 });
  expect({ calls, aborted: signal.aborted }).toEqual({ calls: 1, aborted: true });
  expect(() => announcer.check()).toThrow(failure);
});
