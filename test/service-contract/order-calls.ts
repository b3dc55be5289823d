import { Junction } from '@junction-api/sdk';
import * as schemas from '@junction-api/sdk/serialization';
import { expect } from 'vitest';
import type { SdkCall } from './sdk-call.ts';
import { newUser, START, type World } from './world.ts';

const unknown = crypto.randomUUID();
const notFound = { statusCode: 404 };
const refused = { statusCode: 400 };
const MONTH = 30 * 86_400_000;

const patient = {
  patientDetails: {
    firstName: 'Jo',
    lastName: 'Planted',
    dob: '1980-02-03',
    gender: 'female' as const,
    phoneNumber: '+16025550123',
    email: 'jo@example.com',
  },
  patientAddress: { firstLine: '1 Main Street', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' },
} as const;

type Method = 'walk_in_test' | 'at_home_phlebotomy' | 'testkit' | 'on_site_collection';

/** Returns the id of a lab test of a method. */
async function labTestOf({ sdk }: World, collectionMethod: Method): Promise<string> {
  return (await sdk.labTests.getPaginated({ collectionMethod, status: 'active' })).data[0]!.id;
}

/** Orders a lab test of a method for a new user. */
async function newOrder(world: World, method: Method, more: object = {}): Promise<Junction.ClientFacingOrder> {
  const userId = await newUser(world, `c-${crypto.randomUUID()}`);
  const orderSet = { labTestIds: [await labTestOf(world, method)] };
  return (await world.sdk.labTests.createOrder({ userId, orderSet, ...patient, ...more })).order;
}

/** Orders a lab test, and lets the order be completed. */
async function completed(world: World): Promise<Junction.ClientFacingOrder> {
  const order = await newOrder(world, 'walk_in_test');
  world.service.labs.orders.want(order.id, { interpretation: 'normal', hasMissing: false });
  await world.service.jobs.advanceTo(START + MONTH);
  return order;
}

/** Checks that a download is a PDF. */
async function expectPdf(download: Promise<{ bytes?(): Promise<Uint8Array> }>): Promise<void> {
  expect(Buffer.from(await (await download).bytes!()).toString('latin1', 0, 5)).toBe('%PDF-');
}

/** How a program orders lab tests and reads their results with the SDK, by operation. */
export const orderCalls: Readonly<Record<string, SdkCall>> = {
  create_order: {
    answer: schemas.PostOrderResponse,
    async call(world) {
      const { labTests } = world.sdk;
      const userId = await newUser(world);
      const orderSet = { labTestIds: [await labTestOf(world, 'walk_in_test')] };
      const physician = { firstName: 'Ada', lastName: 'Physician', npi: '1234567893', licensedStates: ['AZ'] };
      const asked = { userId, orderSet, ...patient, physician, icdCodes: ['E78.5'], idempotencyKey: 'k-1' };
      const { order, status } = await labTests.createOrder(asked);
      expect([status, order]).toMatchObject([
        'success',
        {
          userId,
          teamId: world.team,
          createdAt: new Date(START),
          icdCodes: ['E78.5'],
          interpretation: null,
          patientDetails: { firstName: 'Jo', dob: new Date('1980-02-03T00:00:00Z') },
          details: { type: 'walk_in_test', data: { appointmentId: null } },
          events: [{ status: 'received.walk_in_test.ordered' }],
        },
      ]);
      expect((await labTests.createOrder(asked)).order.id).toBe(order.id);
      await expect(labTests.createOrder({ ...asked, priority: true })).rejects.toMatchObject({ statusCode: 409 });
      const old = { userId, labTestId: orderSet.labTestIds[0]!, ...patient };
      await expect(labTests.createOrder(old)).rejects.toMatchObject({ constructor: Junction.UnprocessableEntityError });
      const other = { userId, orderSet: { labTestIds: [unknown] }, ...patient };
      await expect(labTests.createOrder(other)).rejects.toMatchObject(notFound);
      const kit = await labTestOf(world, 'testkit');
      const both = { userId, orderSet: { labTestIds: [...orderSet.labTestIds, kit] }, ...patient };
      await expect(labTests.createOrder(both)).rejects.toMatchObject(refused);
    },
  },
  import_order: {
    answer: schemas.PostOrderResponse,
    async call(world) {
      const { labTests } = world.sdk;
      const userId = await newUser(world);
      const orderSet = { labTestIds: [await labTestOf(world, 'walk_in_test')] };
      const more = { billingType: 'client_bill' as const, collectionMethod: 'walk_in_test' as const, sampleId: 'L-1' };
      const patientAddress = { ...patient.patientAddress, receiverName: 'Jo Planted' };
      const asked = { userId, orderSet, ...more, ...patient, patientAddress };
      const { order, message } = await labTests.importOrder(asked);
      expect([message, order]).toMatchObject([
        'Order imported',
        {
          userId,
          sampleId: 'L-1',
          billingType: 'client_bill',
          events: [{ status: 'received.walk_in_test.ordered' }, { status: 'received.walk_in_test.requisition_bypassed' }],
        },
      ]);
      await expect(labTests.importOrder(asked)).rejects.toMatchObject(refused);
      await expect(labTests.importOrder({ ...asked, userId: unknown })).rejects.toMatchObject(notFound);
    },
  },
  create_testkit_order: {
    answer: schemas.PostOrderResponse,
    async call(world) {
      expect((await newKit(world)).events.map(({ status }) => status)).toEqual([
        'received.testkit.ordered',
        'received.testkit.awaiting_registration',
      ]);
    },
  },
  register_testkit: {
    answer: schemas.PostOrderResponse,
    async call(world) {
      const { testkit } = world.sdk;
      const sampleId = (await newKit(world)).sampleId!;
      const { order } = await testkit.register({ sampleId, ...patient });
      expect(order).toMatchObject({
        patientDetails: { lastName: 'Planted' },
        lastEvent: { status: 'received.testkit.registered' },
      });
      await expect(testkit.register({ sampleId, ...patient })).rejects.toMatchObject(refused);
      await expect(testkit.register({ sampleId: 'x', ...patient })).rejects.toMatchObject(notFound);
    },
  },
  get_order: {
    answer: schemas.ClientFacingOrder,
    async call(world) {
      const order = await completed(world);
      expect(await world.sdk.labTests.getOrder({ orderId: order.id })).toMatchObject({
        id: order.id,
        status: 'completed',
        requisitionFormUrl: expect.stringContaining(order.id),
      });
      await expect(world.sdk.labTests.getOrder({ orderId: unknown })).rejects.toMatchObject(notFound);
    },
  },
  update_order: {
    answer: schemas.PostOrderResponse,
    async call(world) {
      const { labTests } = world.sdk;
      const { id: orderId } = await newOrder(world, 'on_site_collection', { activateBy: '2026-02-01' });
      expect((await labTests.updateOrder({ orderId, activateBy: '2026-03-01' })).order.activateBy).toBe('2026-03-01');
      await expect(labTests.updateOrder({ orderId, activateBy: '2025-03-01' })).rejects.toMatchObject(refused);
      await expect(labTests.updateOrder({ orderId: unknown, activateBy: null })).rejects.toMatchObject(notFound);
    },
  },
  cancel_order: {
    answer: schemas.PostOrderResponse,
    async call(world) {
      const { labTests } = world.sdk;
      const { id: orderId } = await newOrder(world, 'testkit');
      expect((await labTests.cancelOrder({ orderId })).order.lastEvent.status).toBe('cancelled.testkit.cancelled');
      await expect(labTests.cancelOrder({ orderId })).rejects.toMatchObject(refused);
      await expect(labTests.cancelOrder({ orderId: unknown })).rejects.toMatchObject(notFound);
    },
  },
  complete_draw: {
    answer: schemas.PostOrderResponse,
    async call(world) {
      const { labTests } = world.sdk;
      const { id: orderId } = await newOrder(world, 'on_site_collection');
      const { order } = await labTests.updateOnSiteCollectionOrderDrawCompleted({ orderId });
      expect(order.lastEvent.status).toBe('sample_with_lab.on_site_collection.draw_completed');
      await expect(labTests.updateOnSiteCollectionOrderDrawCompleted({ orderId })).rejects.toMatchObject(refused);
      await expect(labTests.updateOnSiteCollectionOrderDrawCompleted({ orderId: unknown })).rejects.toMatchObject(notFound);
    },
  },
  simulate_order: {
    answer: { parseOrThrow: (raw) => expect(raw).toBeNull() },
    async call(world) {
      const { labTests } = world.sdk;
      const { id: orderId } = await newOrder(world, 'walk_in_test');
      const body = { interpretation: 'critical', hasMissingResults: true } as const;
      expect(
        await labTests.simulateOrderProcess({ orderId, finalStatus: 'completed.walk_in_test.completed', delay: 1, body }),
      ).toBeNull();
      await world.service.jobs.advanceTo(START + MONTH);
      const order = await labTests.getOrder({ orderId });
      expect(order).toMatchObject({ status: 'completed', interpretation: 'critical', hasMissingResults: true });
      await expect(labTests.simulateOrderProcess({ orderId })).rejects.toMatchObject(refused);
      await expect(labTests.simulateOrderProcess({ orderId: unknown })).rejects.toMatchObject(notFound);
    },
  },
  list_orders: {
    answer: schemas.GetOrdersResponse,
    async call(world) {
      const { labTests } = world.sdk;
      const first = await completed(world);
      const second = await newOrder(world, 'testkit');
      const ids = async (filters: Junction.GetOrdersLabTestsRequest) =>
        (await labTests.getOrders(filters)).orders.map(({ id }) => id);
      expect(await labTests.getOrders({ size: 1, page: 2 })).toMatchObject({
        orders: [{ id: second.id }],
        total: 2,
        page: 2,
        size: 1,
      });
      expect(await ids({ status: ['ordered', 'cancelled'] })).toEqual([second.id]);
      expect(await ids({ orderType: ['walk_in_test'], orderIds: [first.id, second.id] })).toEqual([first.id]);
      expect(await ids({ userId: first.userId, isCritical: false })).toEqual([first.id]);
      expect(await ids({ updatedStartDate: new Date(START + MONTH), searchInput: 'planted' })).toEqual([second.id]);
    },
  },
  list_orders_without_version: {
    answer: schemas.GetOrdersResponse,
    async call(world) {
      const { id } = await newOrder(world, 'testkit');
      const answer = await world.fetch(`${world.url}/orders?interpretation=null`, {
        headers: { 'x-service-api-key': world.key },
      });
      expect(await answer.json()).toMatchObject({ orders: [{ id }], total: 1 });
    },
  },
  resend_order_events: {
    answer: schemas.ResendWebhookResponse,
    async call(world) {
      const { id } = await newOrder(world, 'testkit');
      expect(await world.sdk.order.resendEvents({ orderIds: [id, unknown] })).toEqual({ orderIds: [id] });
      expect(await world.sdk.order.resendEvents({ startAt: new Date(START) })).toEqual({ orderIds: [id] });
      await expect(world.sdk.order.resendEvents({})).rejects.toMatchObject(refused);
    },
  },
  get_order_transaction: {
    answer: schemas.GetOrderTransactionResponse,
    async call(world) {
      const { orderTransaction, id } = await newOrder(world, 'testkit');
      const transactions = world.sdk.orderTransaction;
      expect(await transactions.getTransaction({ transactionId: orderTransaction!.id })).toMatchObject({
        teamId: world.team,
        status: 'active',
        orders: [{ id, lastStatus: 'ordered' }],
      });
      await expect(transactions.getTransaction({ transactionId: unknown })).rejects.toMatchObject(notFound);
    },
  },
  get_order_result: {
    answer: schemas.LabResultsRaw,
    async call(world) {
      const { id: orderId } = await completed(world);
      const { metadata, results } = await world.sdk.labTests.getResultRaw({ orderId });
      expect(metadata).toMatchObject({ patient: 'Jo Planted', dob: '1980-02-03', age: '45', status: 'final' });
      expect(results).toContainEqual(
        expect.objectContaining({ slug: 'leukocytes', type: 'numeric', unit: '10*3/uL', loinc: '6690-2' }),
      );
      const waiting = await newOrder(world, 'testkit');
      await expect(world.sdk.labTests.getResultRaw({ orderId: waiting.id })).rejects.toMatchObject(notFound);
    },
  },
  get_order_result_metadata: {
    answer: schemas.LabResultsMetadata,
    async call(world) {
      const { id: orderId } = await completed(world);
      expect(await world.sdk.labTests.getResultMetadata({ orderId })).toMatchObject({ patient: 'Jo Planted', status: 'final' });
      await expect(world.sdk.labTests.getResultMetadata({ orderId: unknown })).rejects.toMatchObject(notFound);
    },
  },
  get_order_result_pdf: {
    answer: undefined,
    async call(world) {
      const { id: orderId } = await completed(world);
      await expectPdf(world.sdk.labTests.getResultPdf({ orderId }));
      await expect(world.sdk.labTests.getResultPdf({ orderId: unknown })).rejects.toMatchObject(notFound);
    },
  },
  get_order_transaction_result: {
    answer: schemas.LabResultsRaw,
    async call(world) {
      const { id: orderId, orderTransaction } = await completed(world);
      const transactionId = orderTransaction!.id;
      const result = await world.sdk.orderTransaction.getTransactionResult({ transactionId });
      expect(result).toEqual(await world.sdk.labTests.getResultRaw({ orderId }));
      await expect(world.sdk.orderTransaction.getTransactionResult({ transactionId: unknown })).rejects.toMatchObject(notFound);
    },
  },
  get_order_transaction_result_pdf: {
    answer: undefined,
    async call(world) {
      const transactionId = (await completed(world)).orderTransaction!.id;
      await expectPdf(world.sdk.orderTransaction.getTransactionResultPdf({ transactionId }));
      await expect(world.sdk.orderTransaction.getTransactionResultPdf({ transactionId: unknown })).rejects.toMatchObject(
        notFound,
      );
    },
  },
  get_requisition_pdf: {
    answer: undefined,
    async call(world) {
      const { id: orderId } = await completed(world);
      await expectPdf(world.sdk.labTests.getOrderRequistionPdf({ orderId }));
      await expect(world.sdk.labTests.getOrderRequistionPdf({ orderId: unknown })).rejects.toMatchObject(notFound);
    },
  },
};

async function newKit(world: World): Promise<Junction.ClientFacingOrder> {
  const shippingDetails = { receiverName: 'Jo', phoneNumber: '+16025550123', ...patient.patientAddress };
  const asked = { userId: await newUser(world), labTestId: await labTestOf(world, 'testkit'), shippingDetails };
  const { order } = await world.sdk.testkit.createOrder(asked);
  const walkIn = await labTestOf(world, 'walk_in_test');
  await expect(world.sdk.testkit.createOrder({ ...asked, labTestId: walkIn })).rejects.toMatchObject(refused);
  await expect(world.sdk.testkit.createOrder({ ...asked, labTestId: unknown })).rejects.toMatchObject(notFound);
  return order;
}
