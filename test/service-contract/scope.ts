/** Operations of the real service that the reference implementation leaves out on purpose. */
export interface Omission {
  readonly what: string;
  readonly why: string;
  /** Matches the names of the operations, such as `GET /v3/payor`. */
  readonly operations: RegExp;
}

/** All deliberate omissions. Every other operation of the real service belongs to the reference implementation. */
export const omissions: readonly Omission[] = [
  {
    what: 'insurance',
    why: 'Payors, diagnoses and insurance data have no events, so the loader never sees them.',
    operations: / \/v3\/(insurance|payor)\b| \/v2\/user\/\{user_id\}\/insurance\b/,
  },
  {
    what: 'compendium',
    why: 'A catalogue of the laboratories, which changes without events.',
    operations: / \/v3\/compendium\b/,
  },
  {
    what: "a team's own lab tests",
    why: 'The catalogue is the same for every team.',
    operations: /^(POST \/v3\/lab_tests|PATCH \/v3\/lab_tests\/\{lab_test_id\})$/,
  },
  {
    what: 'papers beside the requisition and the report',
    why: 'They carry no data of their own.',
    operations: / \/v3\/(order\/\{order_id\}|lab_test\/\{lab_test_id\})\/(labels\/pdf|abn_pdf|collection_instruction_pdf)$/,
  },
  {
    what: 'communication settings',
    why: 'They decide about messages to patients, which have no events.',
    operations: / \/v3\/order\/\{order_id\}\/communication_settings$/,
  },
  {
    what: 'search of sites',
    why: 'The places of laboratories and phlebotomists are facts about the real world.',
    operations: / \/v3\/order\/(\{order_id\}\/psc|area|psc)\/info$/,
  },
  {
    what: 'aggregate queries',
    why: 'They compute in the service what the warehouse computes from the tables.',
    operations: / \/aggregate\//,
  },
  {
    what: 'link flows beyond demo connections',
    why: 'They need the pages of real providers. The control port connects any provider instead.',
    operations:
      /^(?!POST \/v2\/link\/(connect\/demo|bulk_trigger_historical_pull)$)\w+ \/v2\/(link\/|user\/\{user_id\}\/(sign_in_token|create_portal_url)$)/,
  },
  {
    what: 'raw summaries',
    why: 'They have the formats of the providers, which the service does not define.',
    operations: / \/v2\/summary\/\w+\/\{user_id\}\/raw$/,
  },
  {
    what: 'EHR integration and its pipelines',
    why: 'They exchange data with the record systems of hospitals, and nothing of it comes as an event.',
    operations: / \/v1\/org\/\{org_id\}\/(ehr_integration|team_ehr_pipelines)\b/,
  },
  {
    what: 'domains of an organization',
    why: 'They prove to a dashboard, which the service does not have, that an organization owns its email domain.',
    operations: / \/v1\/org\/\{org_id\}\/domain\b/,
  },
  {
    what: 'members and invites',
    why: 'They are the people with access to the dashboard. Programs use keys.',
    operations: / \/v1\/org\/\{org_id\}\/(member|invite)\b/,
  },
  {
    what: 'continuous queries',
    why: 'They compute in the service what the warehouse computes from the tables.',
    operations: / \/v1\/org\/\{org_id\}\/team\/\{team_id\}\/\{environment\}\/(validate_)?continuous_query\b/,
  },
];

export const isOmitted = (name: string): boolean => omissions.some(({ operations }) => operations.test(name));
