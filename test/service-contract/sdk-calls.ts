import { appointmentCalls } from './appointment-calls.ts';
import { catalogueCalls } from './catalogue-calls.ts';
import { connectionCalls } from './connection-calls.ts';
import { dataCalls } from './data-calls.ts';
import { orderCalls } from './order-calls.ts';
import { reportCalls } from './report-calls.ts';
import { reviewCalls } from './review-calls.ts';
import type { SdkCall } from './sdk-call.ts';
import { summaryCalls } from './summary-calls.ts';
import { timeseriesCalls } from './timeseries-calls.ts';
import { userCalls } from './user-calls.ts';

const calls: Readonly<Record<string, SdkCall>> = {
  ...userCalls,
  ...appointmentCalls,
  ...connectionCalls,
  ...dataCalls,
  ...reportCalls,
  ...summaryCalls,
  ...timeseriesCalls,
  ...catalogueCalls,
  ...orderCalls,
  ...reviewCalls,
};

export const calledOperations: readonly string[] = Object.keys(calls);

/** Returns how the SDK calls an operation. Throws if the tests do not know it. */
export function sdkCallOf(operation: string): SdkCall {
  const call = calls[operation];
  if (call === undefined)
    throw new Error(
      `test/service-contract does not call ${operation} with the vendor's SDK: add it to a file such as user-calls.ts, which sdk-calls.ts lists.`,
    );
  return call;
}
