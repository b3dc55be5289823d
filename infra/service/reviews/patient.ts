import { dateText } from '../api/times.ts';
import type { OrderRequest } from '../orders/order-request.ts';
import { bytesOf } from '../orders/orders.ts';

/** The patient of a result. */
export interface ReviewPatient {
  readonly patient_details: NonNullable<OrderRequest['patient_details']>;
  readonly patient_address: NonNullable<OrderRequest['patient_address']>;
}

/** Names that nobody takes for those of real people. */
const firstNames = ['Alex', 'Dana', 'Jamie', 'Kim', 'Lou', 'Morgan', 'Robin', 'Sam'];
const lastNames = ['Example', 'Fictional', 'Imaginary', 'Invented', 'Mock', 'Sample', 'Specimen', 'Testcase'];
const DAY_MS = 86_400_000;
const EARLIEST_BIRTH = Date.UTC(1950, 0, 1);
const DAYS_OF_BIRTH = 20_000;

/** Returns an invented patient, the same for the same text. Their last name is not `otherThan`. */
export function inventedPatient(text: string, otherThan?: string): ReviewPatient {
  const bytes = bytesOf(`patient ${text}`);
  const pick = (names: readonly string[], at: number): string => names[bytes[at]! % names.length]!;
  return {
    patient_details: {
      first_name: pick(firstNames, 0),
      last_name: pick(
        lastNames.filter((name) => name !== otherThan),
        1,
      ),
      dob: dateText(EARLIEST_BIRTH + (bytes.readUInt16LE(2) % DAYS_OF_BIRTH) * DAY_MS),
      gender: bytes[4]! % 2 === 0 ? 'female' : 'male',
      phone_number: '+16025550123',
      email: 'patient@example.com',
    },
    patient_address: {
      ...{ receiver_name: '', first_line: '1 Example Street', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' },
      phone_number: '+16025550123',
    },
  };
}
