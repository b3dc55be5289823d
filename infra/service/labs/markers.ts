import { analytes } from './analytes.ts';
import { QUEST, USSL } from './laboratories.ts';

/** A question that the lab asks when a marker is ordered (ask on order entry). */
interface Question {
  readonly id: number;
  readonly required: boolean;
  readonly code: string;
  readonly value: string;
  readonly type: 'choice' | 'text' | 'numeric' | 'multi_choice';
  readonly sequence: number;
  readonly answers: readonly { readonly id: number; readonly code: string; readonly value: string }[];
}

/** One biomarker that a lab measures, or a panel of several. */
export interface Marker {
  readonly id: number;
  readonly lab_id: number;
  /** The lab's code. */
  readonly provider_id: string;
  readonly type: 'biomarker' | 'panel';
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** Slugs of the analytes that the lab reports. A biomarker has one. */
  readonly analytes: readonly string[];
  /** In dollars, such as `9.50`. */
  readonly price: string;
  /** The marker can be added to an order by itself. */
  readonly a_la_carte_enabled: boolean;
  /** False for markers that only the lab adds. */
  readonly is_orderable: boolean;
  readonly common_tat_days: number;
  readonly worst_case_tat_days: number;
  readonly questions: readonly Question[];
  /** Ids of the markers that the lab adds if a result is abnormal. */
  readonly reflexes: readonly number[];
}

type Shared = Pick<Marker, 'lab_id' | 'common_tat_days' | 'worst_case_tat_days'> &
  Partial<Pick<Marker, 'is_orderable' | 'a_la_carte_enabled'>>;
type Biomarker = readonly [id: number, analyte: string, provider_id: string, price: string];

const fasting: Question = {
  id: 9001,
  required: true,
  code: 'FAST',
  value: 'Did the patient fast for 8 hours?',
  type: 'choice',
  sequence: 1,
  answers: [
    { id: 9101, code: 'Y', value: 'Yes' },
    { id: 9102, code: 'N', value: 'No' },
  ],
};
const lastPeriod: Question = {
  id: 9002,
  required: false,
  code: 'LMP',
  value: 'When did the last period of the patient begin?',
  type: 'text',
  sequence: 1,
  answers: [],
};

/** The questions of markers, by marker id. */
const questions: Readonly<Record<number, readonly Question[]>> = { 301: [fasting], 341: [lastPeriod], 501: [fasting] };

/** The markers that a lab adds if a result is abnormal, by marker id. */
const reflexes: Readonly<Record<number, readonly number[]>> = { 334: [335], 352: [391], 382: [393], 384: [392] };

const others = (id: number) => ({ questions: questions[id] ?? [], reflexes: reflexes[id] ?? [] });

/** What biomarkers tell, by the slug of their analyte. */
const markerDescriptions: Readonly<Record<string, string>> = {
  glucose: 'The sugar in the blood.',
  'urea-nitrogen': 'A waste product that the kidneys remove from the blood.',
  creatinine: 'A waste product of the muscles, which shows how well the kidneys work.',
  sodium: 'A salt that keeps the balance of water in the body.',
  potassium: 'A salt that muscles and the heart need.',
  calcium: 'A mineral of bones, nerves and muscles.',
  magnesium: 'A mineral that muscles and nerves need.',
  albumin: 'The main protein of the blood, which the liver makes.',
  'total-bilirubin': 'A product of old red blood cells, which the liver removes.',
  ast: 'An enzyme of the liver and of muscles.',
  alt: 'An enzyme of the liver.',
  ggt: 'An enzyme of the liver and of the bile ducts.',
  'uric-acid': 'A waste product that can cause gout.',
  lipase: 'An enzyme of the pancreas.',
  'total-cholesterol': 'All cholesterol in the blood.',
  'hdl-cholesterol': 'The cholesterol that is on its way back to the liver.',
  'ldl-cholesterol': 'The cholesterol that can narrow the arteries.',
  triglycerides: 'The fat in the blood.',
  'apolipoprotein-b': 'A protein of all particles that can narrow the arteries.',
  'lipoprotein-a': 'An inherited particle that raises the risk of heart disease.',
  'hs-crp': 'A sign of slight inflammation, which raises the risk of heart disease.',
  homocysteine: 'An amino acid that is high if some B vitamins are missing.',
  'hemoglobin-a1c': 'The average blood sugar of the last three months.',
  insulin: 'The hormone that lowers the blood sugar.',
  hemoglobin: 'The protein that carries oxygen in the blood.',
  inr: 'How long the blood takes to clot.',
  iron: 'The iron in the blood.',
  'iron-binding-capacity': 'How much iron the blood can carry.',
  ferritin: 'The iron that the body has stored.',
  'vitamin-d': 'The vitamin that bones need, in its stored form.',
  'vitamin-b12': 'A vitamin that nerves and blood cells need.',
  folate: 'A vitamin that the body needs to make new cells.',
  tsh: 'The hormone that makes the thyroid work.',
  'free-t4': 'The main hormone of the thyroid, without the part that is bound to proteins.',
  'free-t3': 'The active hormone of the thyroid, without the part that is bound to proteins.',
  'tpo-antibodies': 'Antibodies against the thyroid.',
  testosterone: 'The main male hormone, which women have, too.',
  'free-testosterone': 'The testosterone that is not bound to proteins.',
  shbg: 'The protein that carries hormones in the blood.',
  estradiol: 'The main female hormone, which men have, too.',
  progesterone: 'A hormone of the second half of the cycle.',
  fsh: 'A hormone that makes eggs and sperm mature.',
  lh: 'A hormone that starts ovulation and makes testosterone.',
  prolactin: 'A hormone that makes milk.',
  'dhea-sulfate': 'A hormone of the adrenal glands.',
  cortisol: 'The stress hormone, in the blood.',
  'salivary-cortisol': 'The stress hormone, in saliva.',
  'salivary-testosterone': 'Testosterone that is not bound to proteins, in saliva.',
  psa: 'A protein of the prostate.',
  hcg: 'The hormone of pregnancy.',
  'urine-albumin': 'A protein that healthy kidneys keep out of the urine.',
  'urine-culture': 'Bacteria that grow from the urine.',
  chlamydia: 'Genetic material of the bacterium, in urine.',
  gonorrhea: 'Genetic material of the bacterium, in urine.',
  trichomonas: 'Genetic material of the parasite, in urine.',
  'hiv-screen': 'Antibodies and antigen of HIV.',
  'hiv-1-antibody': 'Antibodies against HIV-1, which confirm a reactive screen.',
  'syphilis-antibody': 'Antibodies against the bacterium of syphilis.',
  'hepatitis-c-antibody': 'Antibodies against the hepatitis C virus.',
  'hepatitis-b-antigen': 'A protein of the hepatitis B virus.',
  'stool-blood': 'Blood in the stool that the eye does not see.',
  calprotectin: 'A protein that is high if the gut is inflamed.',
  'helicobacter-antigen': 'A protein of a bacterium of the stomach.',
};

const biomarkers = (shared: Shared, rows: readonly Biomarker[]): Marker[] =>
  rows.map(([id, slug, provider_id, price]) => ({
    id,
    slug,
    provider_id,
    price,
    type: 'biomarker',
    a_la_carte_enabled: true,
    is_orderable: true,
    name: analytes.find((analyte) => analyte.slug === slug)!.name,
    description: markerDescriptions[slug]!,
    analytes: [slug],
    ...others(id),
    ...shared,
  }));

type Panel = Pick<Marker, 'id' | 'provider_id' | 'slug' | 'name' | 'description' | 'analytes' | 'price'> & Partial<Marker>;

const electrolytes = ['sodium', 'potassium', 'chloride', 'carbon-dioxide'];
const kidney = ['urea-nitrogen', 'creatinine', 'egfr'];
const liver = ['total-protein', 'albumin', 'total-bilirubin', 'alkaline-phosphatase', 'ast', 'alt'];
const lipids = ['total-cholesterol', 'hdl-cholesterol', 'triglycerides', 'ldl-cholesterol', 'non-hdl-cholesterol'];
const counts = ['leukocytes', 'erythrocytes', 'hemoglobin', 'hematocrit', 'mcv', 'mch', 'mchc', 'rdw', 'platelets', 'mpv'];
const differential = ['neutrophils', 'lymphocytes', 'monocytes', 'eosinophils', 'basophils', 'blood-smear'];
const strip = ['urine-color', 'urine-appearance', 'urine-specific-gravity', 'urine-ph', 'urine-glucose', 'urine-protein'];
const moreOfStrip = ['urine-ketones', 'urine-blood', 'urine-nitrite', 'urine-leukocyte-esterase'];

const questPanels: readonly Panel[] = [
  {
    id: 360,
    provider_id: '60118',
    slug: 'basic-metabolic-panel',
    name: 'Basic Metabolic Panel',
    price: '18.00',
    description: 'Blood sugar, salts and the work of the kidneys.',
    analytes: ['glucose', ...kidney, ...electrolytes, 'calcium'],
  },
  {
    id: 361,
    provider_id: '60126',
    slug: 'comprehensive-metabolic-panel',
    name: 'Comprehensive Metabolic Panel',
    description: 'Blood sugar, salts, and the work of the kidneys and the liver.',
    analytes: ['glucose', ...kidney, ...electrolytes, 'calcium', ...liver],
    price: '24.00',
  },
  {
    id: 362,
    provider_id: '60134',
    slug: 'liver-panel',
    name: 'Liver Panel',
    price: '21.00',
    description: 'Proteins and enzymes that show how well the liver works.',
    analytes: [...liver, 'direct-bilirubin'],
  },
  {
    id: 363,
    provider_id: '60142',
    slug: 'lipid-panel',
    name: 'Lipid Panel',
    price: '22.50',
    description: 'The cholesterol and the fat in the blood.',
    analytes: [...lipids, 'cholesterol-hdl-ratio'],
  },
  {
    id: 364,
    provider_id: '60159',
    slug: 'complete-blood-count',
    name: 'Complete Blood Count',
    price: '12.00',
    description: 'The number and the size of the blood cells.',
    analytes: counts,
  },
  {
    id: 365,
    provider_id: '60167',
    slug: 'cbc-with-differential',
    name: 'CBC with Differential',
    price: '16.00',
    description: 'The number and the size of the blood cells, with the kinds of white blood cells.',
    analytes: [...counts, ...differential],
  },
  {
    id: 366,
    provider_id: '60175',
    slug: 'thyroid-panel',
    name: 'Thyroid Panel',
    price: '52.00',
    description: 'The hormones that control how fast the body works.',
    analytes: ['tsh', 'free-t4', 'total-t4', 'free-t3', 'total-t3'],
    common_tat_days: 2,
  },
  {
    id: 367,
    provider_id: '60183',
    slug: 'iron-panel',
    name: 'Iron Panel',
    price: '31.00',
    description: 'The iron that the body carries and stores.',
    analytes: ['iron', 'iron-binding-capacity', 'iron-saturation', 'ferritin'],
  },
  {
    id: 368,
    provider_id: '60191',
    slug: 'a1c-with-average-glucose',
    name: 'A1c with Average Glucose',
    price: '17.00',
    description: 'The average blood sugar of the last three months, as a share and as a concentration.',
    analytes: ['hemoglobin-a1c', 'average-glucose'],
  },
  {
    id: 369,
    provider_id: '60206',
    slug: 'male-hormone-panel',
    name: 'Male Hormone Panel',
    price: '89.00',
    description: 'The hormones that tell most about the health of men.',
    analytes: ['testosterone', 'free-testosterone', 'shbg', 'estradiol', 'lh', 'fsh', 'prolactin'],
    common_tat_days: 3,
    worst_case_tat_days: 7,
  },
  {
    id: 370,
    provider_id: '60214',
    slug: 'female-hormone-panel',
    name: 'Female Hormone Panel',
    price: '94.00',
    description: 'The hormones that tell most about the cycle.',
    analytes: ['estradiol', 'progesterone', 'fsh', 'lh', 'prolactin', 'dhea-sulfate'],
    common_tat_days: 3,
    worst_case_tat_days: 7,
  },
  {
    id: 371,
    provider_id: '60222',
    slug: 'blood-type',
    name: 'Blood Type',
    price: '15.00',
    description: 'The blood group and the Rh factor.',
    analytes: ['abo-group', 'rh-type'],
  },
  {
    id: 352,
    provider_id: '60239',
    slug: 'urinalysis',
    name: 'Urinalysis',
    price: '11.00',
    description: 'A look at the urine, and what a test strip shows in it.',
    analytes: [...strip, ...moreOfStrip],
  },
  {
    id: 353,
    provider_id: '60247',
    slug: 'urine-albumin-panel',
    name: 'Urine Albumin Panel',
    price: '21.50',
    description: 'Albumin in urine, set against creatinine, which shows early damage of the kidneys.',
    analytes: ['urine-albumin', 'urine-creatinine', 'albumin-creatinine-ratio'],
  },
  {
    id: 386,
    provider_id: '60255',
    slug: 'chlamydia-and-gonorrhea',
    name: 'Chlamydia and Gonorrhea',
    price: '64.00',
    description: 'Genetic material of two bacteria, in urine.',
    analytes: ['chlamydia', 'gonorrhea'],
  },
  {
    id: 392,
    provider_id: '60263',
    slug: 'hepatitis-liver-reflex',
    name: 'Hepatitis Liver Reflex',
    price: '14.00',
    description: 'Enzymes of the liver, after a reactive hepatitis C screen.',
    analytes: ['ast', 'alt'],
    is_orderable: false,
  },
];

const usslPanels: readonly Panel[] = [
  {
    id: 560,
    provider_id: 'PN-6012',
    slug: 'lipid-panel',
    name: 'Lipid Spot Panel',
    price: '34.00',
    description: 'The cholesterol and the fat in a drop of blood.',
    analytes: lipids,
  },
  {
    id: 561,
    provider_id: 'PN-6024',
    slug: 'thyroid-panel',
    name: 'Thyroid Spot Panel',
    price: '78.00',
    description: 'The hormones of the thyroid and antibodies against it, in a drop of blood.',
    analytes: ['tsh', 'free-t4', 'free-t3', 'tpo-antibodies'],
  },
  {
    id: 562,
    provider_id: 'PN-6036',
    slug: 'a1c-with-average-glucose',
    name: 'A1c Spot Panel',
    price: '26.00',
    description: 'The average blood sugar of the last three months, in a drop of blood.',
    analytes: ['hemoglobin-a1c', 'average-glucose'],
  },
  {
    id: 563,
    provider_id: 'PN-6048',
    slug: 'sti-urine-panel',
    name: 'STI Urine Panel',
    price: '104.00',
    description: 'Genetic material of three germs, in urine.',
    analytes: ['chlamydia', 'gonorrhea', 'trichomonas'],
  },
  {
    id: 564,
    provider_id: 'PN-6051',
    slug: 'gut-panel',
    name: 'Gut Panel',
    price: '118.00',
    description: 'Blood, inflammation and a bacterium of the stomach, in stool.',
    analytes: ['stool-blood', 'calprotectin', 'helicobacter-antigen'],
    common_tat_days: 6,
    worst_case_tat_days: 12,
  },
];

const panels = (shared: Shared, rows: readonly Panel[]): Marker[] =>
  rows.map((panel) => ({
    type: 'panel',
    a_la_carte_enabled: false,
    is_orderable: true,
    ...others(panel.id),
    ...shared,
    ...panel,
  }));

export const markers: readonly Marker[] = [
  ...biomarkers({ lab_id: QUEST, common_tat_days: 1, worst_case_tat_days: 3 }, [
    [301, 'glucose', '70412', '9.50'],
    [302, 'urea-nitrogen', '70420', '8.00'],
    [303, 'creatinine', '70437', '8.00'],
    [304, 'sodium', '70445', '8.00'],
    [305, 'potassium', '70453', '8.00'],
    [306, 'calcium', '70461', '8.00'],
    [307, 'magnesium', '70478', '11.00'],
    [308, 'albumin', '70486', '8.00'],
    [309, 'total-bilirubin', '70494', '8.00'],
    [310, 'ast', '70509', '8.00'],
    [311, 'alt', '70517', '8.00'],
    [312, 'ggt', '70525', '10.00'],
    [313, 'uric-acid', '70533', '9.00'],
    [314, 'lipase', '70541', '14.00'],
    [315, 'total-cholesterol', '71206', '9.00'],
    [316, 'hdl-cholesterol', '71214', '11.00'],
    [317, 'triglycerides', '71222', '9.00'],
    [318, 'apolipoprotein-b', '71239', '19.00'],
    [320, 'hs-crp', '71255', '16.00'],
    [322, 'hemoglobin-a1c', '71271', '14.50'],
    [323, 'insulin', '71288', '18.00'],
    [324, 'hemoglobin', '72604', '6.50'],
    [325, 'inr', '72612', '12.00'],
    [326, 'iron', '72628', '10.00'],
    [327, 'iron-binding-capacity', '72636', '10.00'],
    [328, 'ferritin', '72644', '15.00'],
    [331, 'vitamin-b12', '72671', '17.00'],
    [332, 'folate', '72689', '17.00'],
    [334, 'tsh', '73311', '16.50'],
    [336, 'free-t3', '73338', '18.50'],
  ]),
  ...biomarkers({ lab_id: QUEST, common_tat_days: 3, worst_case_tat_days: 7 }, [
    [319, 'lipoprotein-a', '71247', '24.00'],
    [321, 'homocysteine', '71263', '29.00'],
    [330, 'vitamin-d', '72663', '32.50'],
    [337, 'tpo-antibodies', '73346', '21.00'],
    [338, 'testosterone', '73354', '26.00'],
    [339, 'free-testosterone', '73362', '34.00'],
    [340, 'shbg', '73379', '22.00'],
    [341, 'estradiol', '73387', '24.00'],
    [342, 'progesterone', '73395', '22.00'],
    [343, 'fsh', '73403', '19.00'],
    [344, 'lh', '73411', '19.00'],
    [345, 'prolactin', '73428', '19.00'],
    [346, 'dhea-sulfate', '73436', '23.00'],
    [347, 'cortisol', '73444', '18.00'],
    [348, 'psa', '73452', '21.00'],
    [349, 'hcg', '73469', '18.00'],
    [351, 'urine-albumin', '74507', '13.50'],
    [380, 'chlamydia', '75810', '38.00'],
    [381, 'gonorrhea', '75828', '38.00'],
    [382, 'hiv-screen', '75836', '29.00'],
    [383, 'syphilis-antibody', '75844', '22.00'],
    [384, 'hepatitis-c-antibody', '75852', '27.00'],
    [385, 'hepatitis-b-antigen', '75869', '25.00'],
  ]),
  ...panels({ lab_id: QUEST, common_tat_days: 1, worst_case_tat_days: 4 }, questPanels),
  // The lab adds these.
  ...biomarkers({ lab_id: QUEST, common_tat_days: 3, worst_case_tat_days: 8, is_orderable: false, a_la_carte_enabled: false }, [
    [335, 'free-t4', '73320', '17.00'],
    [391, 'urine-culture', '76919', '26.00'],
    [393, 'hiv-1-antibody', '76935', '41.00'],
  ]),
  ...biomarkers({ lab_id: USSL, common_tat_days: 4, worst_case_tat_days: 8 }, [
    [501, 'glucose', 'BS-1140', '12.00'],
    [502, 'total-cholesterol', 'BS-1152', '12.50'],
    [503, 'hdl-cholesterol', 'BS-1164', '12.50'],
    [504, 'triglycerides', 'BS-1176', '12.50'],
    [505, 'hs-crp', 'BS-1188', '22.00'],
    [506, 'hemoglobin-a1c', 'BS-1203', '19.00'],
    [507, 'insulin', 'BS-1215', '24.00'],
    [508, 'vitamin-d', 'BS-1227', '39.00'],
    [509, 'ferritin', 'BS-1239', '21.00'],
    [510, 'tsh', 'BS-1241', '23.00'],
    [511, 'free-t4', 'BS-1253', '24.00'],
    [512, 'free-t3', 'BS-1265', '25.00'],
    [513, 'tpo-antibodies', 'BS-1277', '28.00'],
    [514, 'testosterone', 'BS-1289', '31.00'],
    [515, 'estradiol', 'BS-1302', '31.00'],
    [516, 'psa', 'BS-1314', '27.00'],
    [517, 'hiv-screen', 'BS-1326', '36.00'],
    [530, 'salivary-cortisol', 'SV-2108', '28.00'],
    [531, 'salivary-testosterone', 'SV-2111', '28.00'],
    [540, 'chlamydia', 'UR-3307', '44.00'],
    [541, 'gonorrhea', 'UR-3319', '44.00'],
    [542, 'trichomonas', 'UR-3321', '44.00'],
  ]),
  ...biomarkers({ lab_id: USSL, common_tat_days: 6, worst_case_tat_days: 12 }, [
    [550, 'stool-blood', 'ST-4405', '26.00'],
    [551, 'calprotectin', 'ST-4417', '58.00'],
    [552, 'helicobacter-antigen', 'ST-4429', '49.00'],
  ]),
  ...panels({ lab_id: USSL, common_tat_days: 4, worst_case_tat_days: 9 }, usslPanels),
];
