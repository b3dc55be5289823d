import { expect, test } from 'vitest';
import { Checkpointing } from './checkpointing.ts';
import { type Checkpoints, NotTheOwner, type PartitionCheckpoint } from './checkpoints/checkpoints.ts';
import { keepingLogger } from './event-hubs.fixture.ts';

const at = (sequenceNumber: number): PartitionCheckpoint => ({
  fullyQualifiedNamespace: 'ns',
  eventHubName: 'health',
  consumerGroup: 'g',
  partitionId: '0',
  sequenceNumber,
  offset: '',
});

/** Returns a store that keeps all checkpoints. Tests can make its writes fail or wait. */
function storeOf() {
  const written: number[] = [];
  const state: { failing?: Error; held?: Promise<void> } = {};
  const store = {
    updateCheckpoint: async ({ sequenceNumber }: PartitionCheckpoint) => {
      await state.held;
      if (state.failing !== undefined) throw state.failing;
      written.push(sequenceNumber);
    },
  } as unknown as Checkpoints;
  return { store, written, state };
}

test('only the newest due checkpoint is written, and only once', async () => {
  const { store, written } = storeOf();
  const checkpointing = new Checkpointing(store, keepingLogger(), () => {});
  for (const number of [1, 2, 3]) checkpointing.durable(at(number));
  await checkpointing.write();
  await checkpointing.write();
  expect(written).toEqual([3]);
});

test('a second write waits for the first and writes the checkpoint that became due in the meantime', async () => {
  const { store, written, state } = storeOf();
  const checkpointing = new Checkpointing(store, keepingLogger(), () => {});
  let release: () => void = () => {};
  state.held = new Promise((resolve) => {
    release = resolve;
  });
  checkpointing.durable(at(1));
  const first = checkpointing.write();
  checkpointing.durable(at(2));
  const second = checkpointing.write();
  release();
  await Promise.all([first, second]);
  expect(written).toEqual([1, 2]);
});

test('a checkpoint whose write failed stays due, and only one warning is logged', async () => {
  const { store, written, state } = storeOf();
  const logger = keepingLogger();
  const checkpointing = new Checkpointing(store, logger, () => {});
  state.failing = new Error('planted-value');
  checkpointing.durable(at(1));
  for (let time = 0; time < 3; time += 1) await checkpointing.write();
  delete state.failing;
  await checkpointing.write();
  expect(written).toEqual([1]);
  expect(logger.lines.map(({ event }) => event)).toEqual(['checkpoint not written', 'checkpoints are written again']);
  expect(JSON.stringify(logger.lines)).not.toContain('planted-value');
});

test('a checkpoint for another worker’s partition is reported once and never written', async () => {
  const { store, written, state } = storeOf();
  let lost = 0;
  const checkpointing = new Checkpointing(store, keepingLogger(), () => {
    lost += 1;
  });
  state.failing = new NotTheOwner();
  checkpointing.durable(at(1));
  await checkpointing.write();
  delete state.failing;
  checkpointing.durable(at(2));
  await checkpointing.write();
  expect([lost, written]).toEqual([1, []]);
});
