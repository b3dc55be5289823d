import { expect, test } from 'vitest';
import { keepingLogger } from '../event-hubs.fixture.ts';
import { type Checkpoints, CheckpointWriter, NotTheOwner, type PartitionCheckpoint } from './checkpoints.ts';

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
  const writer = new CheckpointWriter(store, keepingLogger(), () => {});
  for (const number of [1, 2, 3]) writer.durable(at(number));
  await writer.write();
  await writer.write();
  expect(written).toEqual([3]);
});

test('a second write waits for the first and writes the checkpoint that became due in the meantime', async () => {
  const { store, written, state } = storeOf();
  const writer = new CheckpointWriter(store, keepingLogger(), () => {});
  let release: () => void = () => {};
  state.held = new Promise((resolve) => {
    release = resolve;
  });
  writer.durable(at(1));
  const first = writer.write();
  writer.durable(at(2));
  const second = writer.write();
  release();
  await Promise.all([first, second]);
  expect(written).toEqual([1, 2]);
});

test('a checkpoint whose write failed stays due, and only one warning is logged', async () => {
  const { store, written, state } = storeOf();
  const logger = keepingLogger();
  const writer = new CheckpointWriter(store, logger, () => {});
  state.failing = new Error('planted-value');
  writer.durable(at(1));
  for (let time = 0; time < 3; time += 1) await writer.write();
  delete state.failing;
  await writer.write();
  expect(written).toEqual([1]);
  expect(logger.lines.map(({ event }) => event)).toEqual(['checkpoint not written', 'checkpoints are written again']);
  expect(JSON.stringify(logger.lines)).not.toContain('planted-value');
});

test('a checkpoint for another worker’s partition is reported once and never written', async () => {
  const { store, written, state } = storeOf();
  let lost = 0;
  const writer = new CheckpointWriter(store, keepingLogger(), () => {
    lost += 1;
  });
  state.failing = new NotTheOwner();
  writer.durable(at(1));
  await writer.write();
  delete state.failing;
  writer.durable(at(2));
  await writer.write();
  expect([lost, written]).toEqual([1, []]);
});
