/** How a sample is collected: at a site of the lab, at home by a phlebotomist or with a kit, or where the customer is. */
export const collectionMethods = ['walk_in_test', 'at_home_phlebotomy', 'testkit', 'on_site_collection'] as const;
export type CollectionMethod = (typeof collectionMethods)[number];

export const sampleTypes = ['serum', 'urine', 'saliva', 'stool', 'dried_blood_spot'] as const;
export type SampleType = (typeof sampleTypes)[number];

export interface Laboratory {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  /** The number of its license, which only answers about results have. */
  readonly clia: string;
  readonly first_line_address: string;
  readonly city: string;
  /** Two letters. Answers about labs do not have it, but those about results do. */
  readonly state: string;
  readonly zipcode: string;
  readonly collection_methods: readonly CollectionMethod[];
  /** The first one is the usual one. */
  readonly sample_types: readonly SampleType[];
}

export const QUEST = 3;
export const USSL = 5;

export const laboratories: readonly Laboratory[] = [
  {
    id: QUEST,
    slug: 'quest',
    name: 'Quest',
    clia: '31D0000000',
    first_line_address: '100 Example Plaza',
    city: 'Secaucus',
    state: 'NJ',
    zipcode: '07094',
    collection_methods: ['walk_in_test', 'at_home_phlebotomy', 'on_site_collection'],
    sample_types: ['serum', 'urine'],
  },
  {
    id: USSL,
    slug: 'ussl',
    name: 'US Specialty Laboratories',
    clia: '05D0000000',
    first_line_address: '200 Example Drive',
    city: 'San Diego',
    state: 'CA',
    zipcode: '92121',
    collection_methods: ['testkit'],
    sample_types: ['dried_blood_spot', 'saliva', 'urine', 'stool'],
  },
];
