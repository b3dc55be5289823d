import { z } from 'zod';
import type { Answer } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';
import { type LabTest, type Marker, markerOf, markers } from './catalogue.ts';
import { NO_ACCOUNT, namedAccount } from './catalogue-forms.ts';
import { type LabAccount, offersLabTest, offersMarker } from './lab-accounts.ts';

/** The lab tests of an order, and its additional markers, which are named by their id or by the lab's code. */
export const orderSetSchema = z
  .object({
    lab_test_ids: z.array(uuidSchema).nullish(),
    add_on: z
      .object({ marker_ids: z.array(z.int()).nullish(), provider_ids: z.array(z.string()).nullish() })
      .nullish()
      .describe('Markers beside those of the lab tests.'),
    lab_account_id: z.union([z.int(), uuidSchema]).nullish(),
  })
  .meta({ id: 'OrderSet' });

/** The parts of an order set. All belong to one lab. There may be none. */
export interface OrderSet {
  readonly tests: readonly LabTest[];
  readonly addOn: readonly Marker[];
  readonly account: LabAccount | undefined;
}

const refusal = (status: 400 | 404, detail: string): Answer => ({ status, body: { detail } });

interface Known {
  /** Finds a lab test of the team. */
  readonly labTestOf: (id: string) => LabTest | undefined;
  /** Returns whether the team may use a lab account. */
  readonly isUsable: (account: string) => boolean;
}

/** Finds the parts of an order set, or returns the answer that refuses it. */
export function orderSetOf(
  { lab_test_ids, add_on, lab_account_id }: z.output<typeof orderSetSchema>,
  { labTestOf, isUsable }: Known,
): OrderSet | Answer {
  const account = namedAccount(lab_account_id, isUsable);
  if (account === 'unknown') return NO_ACCOUNT;
  const ids = [...new Set(lab_test_ids)];
  const tests = ids.map(labTestOf).filter((test) => test !== undefined);
  if (tests.length < ids.length) return refusal(404, `Lab test not found: ${ids.find((id) => labTestOf(id) === undefined)}`);
  const lab = account?.lab_id ?? tests[0]?.lab_id;
  const names = [...(add_on?.marker_ids ?? []), ...(add_on?.provider_ids ?? [])];
  const named = names.map((name) => (typeof name === 'number' ? markerOf(name) : byCode(name, lab)));
  const addOn = [...new Set(named.filter((marker) => marker !== undefined))];
  if (named.includes(undefined)) return refusal(404, `Marker not found: ${names[named.indexOf(undefined)]}`);
  if (new Set([...tests, ...addOn].map(({ lab_id }) => lab_id)).size > 1)
    return refusal(400, 'An order has lab tests and markers of one laboratory: send an order to each');
  const fixed = addOn.find(({ a_la_carte_enabled, is_orderable }) => !a_la_carte_enabled || !is_orderable);
  if (fixed !== undefined) return refusal(400, `The marker ${fixed.id} cannot be ordered by itself`);
  const isOffered =
    account === undefined ||
    (tests.every((test) => offersLabTest(account, test)) && addOn.every((marker) => offersMarker(account, marker)));
  return isOffered ? { tests, addOn, account } : refusal(400, 'The lab account does not offer these lab tests or markers');
}

/** Finds a marker by the code of a lab. Without a lab, the codes of all labs count. */
function byCode(code: string, lab: number | undefined): Marker | undefined {
  return markers.find(({ lab_id, provider_id }) => provider_id === code && (lab === undefined || lab_id === lab));
}
