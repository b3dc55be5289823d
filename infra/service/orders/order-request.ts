import { z } from 'zod';
import { uuidSchema } from '../api/parameters.ts';
import { birthDateSchema, dateSchema, instantSchema } from '../api/times.ts';
import { collectionMethods } from '../labs/laboratories.ts';
import { orderSetSchema } from '../labs/order-set.ts';

/* The requests of teams for orders. Members that the service does not use are accepted in the real service's form. */

const LONGEST_NOTE = 1000;
const text = z.string().trim().min(1);
const optionalText = z.string().nullish();

/** A US postal code. */
const zipSchema = z.string().regex(/^\d{5}(-\d{4})?$/, 'not a postal code of the US');

const addressMembers = {
  first_line: text,
  second_line: optionalText,
  city: text,
  state: text,
  country: text,
};

export const patientAddressSchema = z
  .object({
    receiver_name: z.string().default(''),
    ...addressMembers,
    zip: zipSchema,
    access_notes: z.string().max(LONGEST_NOTE).nullish(),
    phone_number: optionalText,
  })
  .meta({ id: 'NewPatientAddress' });

export const shippingSchema = z
  .object({
    receiver_name: text,
    ...addressMembers,
    zip: zipSchema,
    phone_number: text,
  })
  .meta({ id: 'NewShippingAddress' });

const guarantorSchema = z.looseObject({
  first_name: text,
  last_name: text,
  address: z.looseObject({ ...addressMembers, zip: z.string(), access_notes: z.string().max(LONGEST_NOTE).nullish() }),
  phone_number: text,
  household_income: z.int().nullish(),
  household_size: z.int().nullish(),
  email: optionalText,
});

const LONGEST_NAME = 50;
const nameSchema = text.max(LONGEST_NAME);

export const patientSchema = z
  .object({
    first_name: nameSchema,
    last_name: nameSchema,
    dob: birthDateSchema,
    gender: z.enum(['female', 'male', 'other', 'unknown']),
    phone_number: text,
    email: z.email(),
    medical_proxy: guarantorSchema.nullish(),
    race: z
      .enum([
        ...(['african_american_or_black', 'asian', 'indigenous_native_american_alaska_native', 'other'] as const),
        ...(['pacific_islander_or_hawaiian', 'white_caucasian'] as const),
      ])
      .nullish(),
    ethnicity: z.enum(['hispanic', 'non_hispanic', 'ashkenazi_jewish', 'other']).nullish(),
    sexual_orientation: z
      .enum(['lesbian_gay_or_homosexual', 'heterosexual_or_straight', 'bisexual', 'dont_know', 'other'])
      .nullish(),
    gender_identity: z
      .enum([
        ...(['male', 'female', 'female_to_male_ftm_transgender_male_trans_man', 'genderqueer', 'other'] as const),
        'male_to_female_mtf_transgender_female_trans_woman',
      ])
      .nullish(),
    household_income: z.int().nullish(),
    household_size: z.int().nullish(),
  })
  .meta({ id: 'NewPatient' });

export const physicianSchema = z.looseObject({
  first_name: text,
  last_name: text,
  npi: text,
  email: optionalText,
  licensed_states: z.array(z.string()).optional(),
});

const consentSchema = z.looseObject({
  consentType: z.enum([
    ...(['terms-of-use', 'telehealth-informed-consent', 'mobile-terms-and-conditions'] as const),
    ...(['notice-of-privacy-practices', 'privacy-policy', 'hipaa-authorization'] as const),
  ]),
  version: z.string().optional(),
  timeOfConsent: instantSchema.optional(),
});

const answersSchema = z.array(z.object({ marker_id: z.int(), question_id: z.int(), answer: z.string() }));

export const NOTHING_ORDERED = 'an order needs a lab test or a marker';
const REPLACED = 'lab_test_id is deprecated: send order_set.lab_test_ids, a list';

/** The patient of the examples in the OpenAPI document. */
export const examplePatient = {
  patient_details: {
    first_name: 'Jo',
    last_name: 'Doe',
    dob: '1980-02-03',
    gender: 'female',
    phone_number: '+16025550123',
    email: 'jo@example.com',
  },
  patient_address: { first_line: '1 Main Street', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' },
};

export const billingSchema = z.enum(['client_bill', 'commercial_insurance', 'patient_bill_passthrough', 'patient_bill']);

export const newOrderSchema = z
  .object({
    user_id: uuidSchema,
    order_set: orderSetSchema.optional(),
    lab_test_id: z
      .null(REPLACED)
      .optional()
      .meta({ deprecated: true, description: 'The earlier form of `order_set`. It must not be used.' }),
    patient_details: patientSchema,
    patient_address: patientAddressSchema,
    collection_method: z.enum(collectionMethods).nullish().describe('Default: the method of the lab test.'),
    physician: physicianSchema.nullish(),
    health_insurance: z.looseObject({}).nullish().meta({ deprecated: true }),
    priority: z.boolean().default(false),
    billing_type: billingSchema.default('client_bill'),
    icd_codes: z.array(z.string()).nullish(),
    consents: z.array(consentSchema).nullish(),
    activate_by: dateSchema.nullish().describe('The order begins on this date (UTC). Default: at once.'),
    aoe_answers: answersSchema.nullish().describe('Answers to the questions of markers.'),
    passthrough: optionalText,
    clinical_notes: optionalText,
    lab_account_id: z.union([z.int(), uuidSchema]).nullish(),
    creator_member_id: uuidSchema.nullish(),
  })
  .superRefine(({ lab_test_id, order_set }, context) => {
    const [tests, add_on] = [order_set?.lab_test_ids ?? [], order_set?.add_on];
    const isEmpty = tests.length === 0 && [add_on?.marker_ids, add_on?.provider_ids].every((ids) => (ids ?? []).length === 0);
    if (lab_test_id === undefined && isEmpty)
      context.addIssue({ code: 'custom', path: ['order_set', 'lab_test_ids'], message: NOTHING_ORDERED });
  })
  .meta({
    id: 'NewOrder',
    examples: [
      {
        user_id: '7a1e2b3c-0000-4000-8000-000000000001',
        order_set: { lab_test_ids: ['7a1e2b3c-0000-4000-8000-000000000002'] },
        ...examplePatient,
      },
    ],
  });

export type NewOrder = z.output<typeof newOrderSchema>;
type Shipping = z.output<typeof shippingSchema>;

/** The members of a request that an order keeps. A kit that nobody has registered has no patient. */
export interface OrderRequest
  extends Partial<
    Pick<NewOrder, 'patient_details' | 'patient_address' | 'physician' | 'icd_codes' | 'clinical_notes' | 'aoe_answers'>
  > {
  readonly priority: boolean;
  readonly billing_type: NewOrder['billing_type'];
  readonly passthrough?: string | null | undefined;
  readonly shipping?: Shipping | undefined;
  readonly lab_account_id?: string | number | null | undefined;
}
