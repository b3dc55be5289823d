import { dateText, instant } from '../api/times.ts';
import { type Laboratory, type LabTest, labOf } from '../labs/catalogue.ts';
import { accountOf } from '../labs/lab-accounts.ts';
import type { Result } from '../labs/result.ts';
import type { ReportFacts } from '../labs/result-forms.ts';
import type { ResultFlag } from '../labs/result-report.ts';
import type { OrderRequest } from './order-request.ts';
import type { StoredResults } from './order-results.ts';
import type { OrderRow } from './orders.ts';

/**
 * The papers and the report of an order: what they say comes from the order, its lab test and its results. The modules that draw
 * them load fonts, so they are imported when the first paper is drawn.
 */

const methodNames = {
  walk_in_test: 'Walk-in',
  at_home_phlebotomy: 'At-home phlebotomy',
  testkit: 'Test kit',
  on_site_collection: 'On-site collection',
};

/** Returns a name of the API in words: `client_bill` becomes `Client bill`. */
const inWords = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

/** Draws the requisition form of an order with a patient. */
export async function requisitionOf(order: OrderRow, labTest: LabTest): Promise<Buffer> {
  const { requisitionPdf } = await import('../labs/requisition.ts');
  const request = requestOf(order);
  const asked = labTest.markers.flatMap(({ id, questions }) => questions.map((question) => ({ ...question, marker: id })));
  return requisitionPdf({
    ...headOf(order, labTest, request),
    created: instant(order.created_at),
    tests: [
      {
        code: labTest.auto_generated ? 'Order set' : labTest.slug,
        name: labTest.name,
        sampleType: inWords(labTest.sample_type),
        isFasting: labTest.fasting,
        markers: labTest.markers.map(({ provider_id, name }) => ({ code: provider_id, name })),
      },
    ],
    icdCodes: request.icd_codes ?? [],
    billingType: inWords(request.billing_type),
    isPriority: request.priority,
    clinicalNotes: request.clinical_notes ?? null,
    collectionMethod: methodNames[order.method],
    answers: (request.aoe_answers ?? []).map(({ marker_id, question_id, answer }) => ({
      question: asked.find(({ marker, id }) => marker === marker_id && id === question_id)?.value ?? '',
      answer,
    })),
  });
}

/** Draws the laboratory's report on an order. */
export async function reportOf(order: OrderRow, labTest: LabTest, stored: StoredResults): Promise<Buffer> {
  const { resultReportPdf } = await import('../labs/result-report.ts');
  return resultReportPdf({
    ...headOf(order, labTest, requestOf(order)),
    status: stored.status,
    sampleType: inWords(labTest.sample_type),
    collected: instant(stored.collected_at),
    received: instant(stored.received_at),
    reported: instant(stored.reported_at),
    results: stored.results.map((result) => ({
      name: result.name,
      result: result.result,
      unit: result.unit,
      referenceRange: result.reference_range,
      flag: flagOf(result),
      note: result.notes,
    })),
    missingResults: stored.missing.map(({ name, note }) => ({ name, reason: note })),
    notes: [],
  });
}

function flagOf({ interpretation, is_above_max_range: isAbove, is_below_min_range: isBelow }: Result): ResultFlag | null {
  const isCritical = interpretation === 'critical';
  if (isAbove === true) return isCritical ? 'critical_high' : 'high';
  if (isBelow === true) return isCritical ? 'critical_low' : 'low';
  return isCritical ? 'critical' : interpretation === 'abnormal' ? 'abnormal' : null;
}

/** Returns what the answer about the results of an order says beside the results. */
export function reportFactsOf(order: OrderRow, { lab_id, fasting }: LabTest, stored: StoredResults): ReportFacts {
  const lab = labOf(lab_id)!;
  const { patient_details: patient, physician, lab_account_id } = requestOf(order);
  return {
    status: stored.status,
    patient: {
      id: order.user_id,
      name: patient === undefined ? '' : `${patient.first_name} ${patient.last_name}`,
      birthDate: patient?.dob ?? dateText(order.created_at),
    },
    physician: nameOf(physician),
    laboratory: {
      slug: lab.slug,
      name: lab.name,
      clia: lab.clia,
      phoneNumber: null,
      medicalDirector: null,
      address: addressOf(lab),
    },
    accountId: accountNumber(lab_account_id),
    sample: {
      number: order.sample_id ?? '',
      controlNumber: null,
      collected: stored.collected_at,
      received: stored.received_at,
      reported: stored.reported_at,
      timeZoneOffset: 0,
      fasting,
      notes: null,
    },
  };
}

function headOf(
  order: OrderRow,
  { lab_id }: LabTest,
  { patient_details, patient_address, physician, lab_account_id }: OrderRequest,
) {
  const name = nameOf(physician);
  const lab = labOf(lab_id)!;
  const { first_line, city, state, zip } = addressOf(lab);
  return {
    orderId: order.order_id,
    sampleId: order.sample_id ?? '',
    laboratory: {
      name: lab.name,
      addressLines: [first_line, `${city}, ${state} ${zip}`],
      accountNumber: accountNumber(lab_account_id),
    },
    patient: {
      firstName: patient_details?.first_name ?? '',
      lastName: patient_details?.last_name ?? '',
      dateOfBirth: patient_details?.dob ?? null,
      sex: patient_details === undefined ? null : inWords(patient_details.gender),
      phone: patient_details?.phone_number ?? null,
      email: patient_details?.email ?? null,
      addressLines: patient_address === undefined ? [] : linesOf(patient_address),
    },
    physician: name === null ? null : { name, npi: physician?.npi ?? null },
    isSample: true,
  };
}

const requestOf = ({ request }: OrderRow): OrderRequest => JSON.parse(request) as OrderRequest;

const accountNumber = (id: string | number | null | undefined): string | null =>
  id === null || id === undefined ? null : String(accountOf(id)!.number);

function nameOf(physician: OrderRequest['physician']): string | null {
  return physician === null || physician === undefined ? null : `${physician.first_name} ${physician.last_name}`;
}

function linesOf({ first_line, second_line, city, state, zip, country }: NonNullable<OrderRequest['patient_address']>): string[] {
  return [first_line, second_line ?? '', `${city}, ${state} ${zip}`, country].filter((line) => line !== '');
}

function addressOf({ first_line_address: first_line, city, state, zipcode: zip }: Laboratory) {
  return { first_line, second_line: null, city, state, zip, country: 'US' };
}
