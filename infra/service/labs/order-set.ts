import { z } from 'zod';
import type { Answer } from '../api/operation.ts';
import { uuidSchema } from '../api/uuid.ts';
import { type LabTest, type Marker, markerOf, markers } from './catalogue.ts';
import { NO_ACCOUNT, NO_LAB_TEST, NO_MARKER, namedAccount } from './catalogue-answers.ts';
import { type LabAccount, offersLabTest, offersMarker } from './lab-accounts.ts';

/** The lab tests of an order, and its additional markers, which are named by their id or by the lab's code. */
export const orderSetSchema = z
  .object({
    lab_test_ids: z.array(uuidSchema).nullish(),
    add_on: z.object({ marker_ids: z.array(z.int()).nullish(), provider_ids: z.array(z.string()).nullish() }).nullish(),
    lab_account_id: z.union([z.int(), uuidSchema]).nullish(),
  })
  .meta({ id: 'OrderSet' });

/** The parts of an order set. All belong to one lab. There may be none. */
export interface OrderSet {
  readonly tests: readonly LabTest[];
  readonly addOn: readonly Marker[];
  readonly account: LabAccount | undefined;
}

const refusal = (detail: string): Answer => ({ status: 400, body: { detail } });
const SEVERAL_LABS = refusal('The lab tests and markers of an order set must belong to one lab.');
const NOT_ALONE = refusal('A marker of add_on cannot be ordered by itself. Order a lab test that has it.');

/** Finds the parts of an order set, or returns the answer that refuses it. `labTestOf` finds a lab test of the team. */
export function orderSetOf(
  { lab_test_ids, add_on, lab_account_id }: z.output<typeof orderSetSchema>,
  labTestOf: (id: string) => LabTest | undefined,
): OrderSet | Answer {
  const account = namedAccount(lab_account_id);
  if (account === 'unknown') return NO_ACCOUNT;
  const tests = (lab_test_ids ?? []).map(labTestOf).filter((test) => test !== undefined);
  if (tests.length < (lab_test_ids ?? []).length) return NO_LAB_TEST;
  const lab = account?.lab_id ?? tests[0]?.lab_id;
  const named = [...(add_on?.marker_ids ?? []).map(markerOf), ...(add_on?.provider_ids ?? []).map((code) => byCode(code, lab))];
  const addOn = named.filter((marker) => marker !== undefined);
  if (addOn.length < named.length) return NO_MARKER;
  if (account !== undefined && !tests.every((test) => offersLabTest(account, test))) return NO_LAB_TEST;
  if (account !== undefined && !addOn.every((marker) => offersMarker(account, marker))) return NO_MARKER;
  if (new Set([...tests, ...addOn].map(({ lab_id }) => lab_id)).size > 1) return SEVERAL_LABS;
  if (!addOn.every((marker) => marker.a_la_carte_enabled)) return NOT_ALONE;
  return { tests, addOn, account };
}

/** Finds a marker by the code of a lab. Without a lab, the codes of all labs count. */
function byCode(code: string, lab: number | undefined): Marker | undefined {
  return markers.find(({ lab_id, provider_id }) => provider_id === code && (lab === undefined || lab_id === lab));
}
