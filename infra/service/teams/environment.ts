import { z } from 'zod';

/** How a team appears to its users. */
const brandSchema = z
  .object({
    company_name: z.string(),
    company_website: z.string().default(''),
    support_email: z.email().default('help@example.com'),
    support_contact: z.string().nullable().default(''),
    company_address: z.string().default(''),
    brand_color: z.string().default(''),
  })
  .meta({ id: 'BrandInformation' });

const logoSchema = z.url().max(2083);

/** The settings of a team, with the members of the management API and the values of a new team. */
export const environmentSchema = z.object({
  lab_tests_patient_sms_communication_enabled: z.boolean().default(true),
  lab_tests_patient_email_communication_enabled: z.boolean().default(true),
  critical_result_notification_email: z.email().nullable().default(null),
  brand_information: brandSchema.nullable().default(null),
  logo_url: logoSchema.nullable().default(null),
  reject_duplicate_connection: z.boolean().default(false),
  sdk_per_device_activity_timeseries: z.boolean().default(false),
  partial_webhooks_enabled: z.boolean().nullable().default(false),
  minor_ordering_enabled: z.boolean().nullable().default(false),
});

export type Environment = z.output<typeof environmentSchema>;

/** Null leaves a switch as it is, and removes an address or a brand. */
export const changedEnvironmentSchema = z
  .object({
    lab_tests_patient_sms_communication_enabled: z.boolean().nullable(),
    lab_tests_patient_email_communication_enabled: z.boolean().nullable(),
    critical_result_notification_email: z.email().nullable(),
    partial_webhooks_enabled: z.boolean().nullable(),
    minor_ordering_enabled: z.boolean().nullable(),
    reject_duplicate_connection: z.boolean().nullable(),
    sdk_per_device_activity_timeseries: z.boolean().nullable(),
    patient_experience: z.boolean().nullable(),
    brand_information: z
      .object({
        company_name: z.string().nullable(),
        company_website: z.string().nullable(),
        support_email: z.email().nullable(),
        support_contact: z.string().nullable(),
        company_address: z.string().nullable(),
        brand_color: z.string().nullable(),
      })
      .partial()
      .nullable(),
    logo_url: logoSchema.nullable(),
  })
  .partial()
  .meta({ id: 'ChangedEnvironment' });

export type EnvironmentChange = z.output<typeof changedEnvironmentSchema>;

const removable: readonly string[] = ['critical_result_notification_email', 'brand_information', 'logo_url'];

const NO_LOGO = 'logo_url is required with company_name';

/** Returns the settings, or a sentence that says why a team cannot have them. */
export const completeEnvironment = (environment: Environment): Environment | string =>
  environment.brand_information !== null && environment.logo_url === null ? NO_LOGO : environment;

/** Applies a change. Returns why it cannot be applied, as a text, if the result would lack something. */
export function changedEnvironment(before: Environment, given: EnvironmentChange): Environment | string {
  const { brand_information, patient_experience: _, ...rest } = given;
  const kept = Object.entries(rest).filter(([name, value]) => value !== null || removable.includes(name));
  const changed: Environment = { ...before, ...Object.fromEntries(kept) };
  if (brand_information === undefined) return completeEnvironment(changed);
  if (brand_information === null) return { ...changed, brand_information: null };
  const own = Object.fromEntries(Object.entries(brand_information).filter(([, value]) => value !== null));
  const brand = brandSchema.safeParse({ ...before.brand_information, ...own });
  if (!brand.success) return 'brand_information needs company_name';
  return completeEnvironment({ ...changed, brand_information: brand.data });
}
