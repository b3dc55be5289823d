import { credentialManagementCalls } from './credential-management-calls.ts';
import { keyManagementCalls } from './key-management-calls.ts';
import { labAccountManagementCalls } from './lab-account-management-calls.ts';
import { organizationManagementCalls } from './organization-management-calls.ts';
import { pipelineManagementCalls } from './pipeline-management-calls.ts';
import { preferenceManagementCalls } from './preference-management-calls.ts';
import { teamManagementCalls } from './team-management-calls.ts';
import { webhookManagementCalls } from './webhook-management-calls.ts';
import type { World } from './world.ts';

/**
 * How a program calls an operation of the management API, for which the vendor has no SDK. It checks what the operation returns,
 * and causes all statuses that both the vendor and the operation document, except for 422, which the tests cause themselves.
 */
export type ManagementCall = (world: World) => Promise<void>;

const calls: Readonly<Record<string, ManagementCall>> = {
  ...pipelineManagementCalls,
  ...credentialManagementCalls,
  ...preferenceManagementCalls,
  ...webhookManagementCalls,
  ...labAccountManagementCalls,
  ...organizationManagementCalls,
  ...teamManagementCalls,
  ...keyManagementCalls,
};

export const managedOperations: readonly string[] = Object.keys(calls);

/** Returns how a program calls an operation. Throws if the tests do not know it. */
export function managementCallOf(operation: string): ManagementCall {
  const call = calls[operation];
  if (call === undefined)
    throw new Error(
      `test/service-contract does not call ${operation}: add it to a file such as team-management-calls.ts, which management-calls.ts lists.`,
    );
  return call;
}
