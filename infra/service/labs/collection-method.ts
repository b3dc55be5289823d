/** How a sample is collected: at a site of the lab, at home by a phlebotomist or with a kit, or where the customer is. */
export const collectionMethods = ['walk_in_test', 'at_home_phlebotomy', 'testkit', 'on_site_collection'] as const;
export type CollectionMethod = (typeof collectionMethods)[number];

export const sampleTypes = ['serum', 'urine', 'saliva', 'stool', 'dried_blood_spot'] as const;
export type SampleType = (typeof sampleTypes)[number];
