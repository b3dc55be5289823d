import type { OrderRow } from '../orders/order.ts';
import type { OrderRequest } from '../orders/order-request.ts';
import { cases, type TestCase } from './cases.ts';
import type { ReviewPatient } from './patient.ts';

/** Ends a run. The message repeats no value of a person. */
export class RunFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Throws a {@link RunFailure} if given orders do not fit the case of their run. */
export function checkGiven(test: TestCase, orders: Readonly<Record<string, OrderRow>>): void {
  for (const [role, status] of Object.entries(cases[test].roles)) {
    const found = orders[role]!.status;
    if (found !== status)
      throw new RunFailure('order_status_mismatch', `The status of the order ${role} is ${found}, and ${test} needs ${status}.`);
  }
  const patients = Object.values(orders).map(patientOf);
  if (patients.includes(undefined))
    throw new RunFailure('order_without_patient', 'An order has no patient, because its kit is not registered.');
  const people = new Set(
    patients.map((patient) => {
      const { first_name, last_name, dob } = patient!.patient_details;
      return JSON.stringify([first_name, last_name, dob]);
    }),
  );
  if (people.size > 1) throw new RunFailure('patients_differ', `The orders of ${test} must have the same name and birth date.`);
}

export function patientOf({ request }: OrderRow): ReviewPatient | undefined {
  const { patient_details, patient_address } = JSON.parse(request) as OrderRequest;
  return patient_details === undefined || patient_address === undefined ? undefined : { patient_details, patient_address };
}
