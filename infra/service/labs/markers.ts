import { analytes } from './analytes.ts';
import { QUEST, USSL } from './laboratories.ts';
import type { Marker, Question } from './marker.ts';
import { markerDescriptions } from './marker-descriptions.ts';
import { type Panel, questPanels, usslPanels } from './panels.ts';

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

const biomarkers = (shared: Shared, rows: readonly Biomarker[]): Marker[] =>
  rows.map(([id, slug, provider_id, price]) => ({
    ...{ id, slug, provider_id, price, type: 'biomarker', a_la_carte_enabled: true, is_orderable: true },
    name: analytes.find((analyte) => analyte.slug === slug)!.name,
    description: markerDescriptions[slug]!,
    analytes: [slug],
    ...others(id),
    ...shared,
  }));

const panels = (shared: Shared, rows: readonly Panel[]): Marker[] =>
  rows.map((panel) => ({
    ...{ type: 'panel', a_la_carte_enabled: false, is_orderable: true },
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
