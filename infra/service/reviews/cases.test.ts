import fc from 'fast-check';
import { expect, test } from 'vitest';
import { patientAddressSchema, patientSchema } from '../orders/order-request.ts';
import { inventedPatient } from './cases.ts';

test('an invented patient is complete, stays the same, and differs from another patient by the last name', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, other) => {
      const patient = inventedPatient(text);
      expect(inventedPatient(text)).toEqual(patient);
      expect(patientSchema.safeParse(patient.patient_details)).toMatchObject({ success: true });
      expect(patientAddressSchema.safeParse(patient.patient_address)).toMatchObject({ success: true });
      const { last_name } = patient.patient_details;
      expect(inventedPatient(other, last_name).patient_details.last_name).not.toBe(last_name);
    }),
  );
});
