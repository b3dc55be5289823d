import type { Marker } from './marker.ts';

export type Panel = Pick<Marker, 'id' | 'provider_id' | 'slug' | 'name' | 'description' | 'analytes' | 'price'> & Partial<Marker>;

const electrolytes = ['sodium', 'potassium', 'chloride', 'carbon-dioxide'];
const kidney = ['urea-nitrogen', 'creatinine', 'egfr'];
const liver = ['total-protein', 'albumin', 'total-bilirubin', 'alkaline-phosphatase', 'ast', 'alt'];
const lipids = ['total-cholesterol', 'hdl-cholesterol', 'triglycerides', 'ldl-cholesterol', 'non-hdl-cholesterol'];
const counts = ['leukocytes', 'erythrocytes', 'hemoglobin', 'hematocrit', 'mcv', 'mch', 'mchc', 'rdw', 'platelets', 'mpv'];
const differential = ['neutrophils', 'lymphocytes', 'monocytes', 'eosinophils', 'basophils', 'blood-smear'];
const strip = ['urine-color', 'urine-appearance', 'urine-specific-gravity', 'urine-ph', 'urine-glucose', 'urine-protein'];
const moreOfStrip = ['urine-ketones', 'urine-blood', 'urine-nitrite', 'urine-leukocyte-esterase'];

export const questPanels: readonly Panel[] = [
  {
    ...{ id: 360, provider_id: '60118', slug: 'basic-metabolic-panel', name: 'Basic Metabolic Panel', price: '18.00' },
    description: 'Blood sugar, salts and the work of the kidneys.',
    analytes: ['glucose', ...kidney, ...electrolytes, 'calcium'],
  },
  {
    ...{ id: 361, provider_id: '60126', slug: 'comprehensive-metabolic-panel', name: 'Comprehensive Metabolic Panel' },
    description: 'Blood sugar, salts, and the work of the kidneys and the liver.',
    analytes: ['glucose', ...kidney, ...electrolytes, 'calcium', ...liver],
    price: '24.00',
  },
  {
    ...{ id: 362, provider_id: '60134', slug: 'liver-panel', name: 'Liver Panel', price: '21.00' },
    description: 'Proteins and enzymes that show how well the liver works.',
    analytes: [...liver, 'direct-bilirubin'],
  },
  {
    ...{ id: 363, provider_id: '60142', slug: 'lipid-panel', name: 'Lipid Panel', price: '22.50' },
    description: 'The cholesterol and the fat in the blood.',
    analytes: [...lipids, 'cholesterol-hdl-ratio'],
  },
  {
    ...{ id: 364, provider_id: '60159', slug: 'complete-blood-count', name: 'Complete Blood Count', price: '12.00' },
    description: 'The number and the size of the blood cells.',
    analytes: counts,
  },
  {
    ...{ id: 365, provider_id: '60167', slug: 'cbc-with-differential', name: 'CBC with Differential', price: '16.00' },
    description: 'The number and the size of the blood cells, with the kinds of white blood cells.',
    analytes: [...counts, ...differential],
  },
  {
    ...{ id: 366, provider_id: '60175', slug: 'thyroid-panel', name: 'Thyroid Panel', price: '52.00' },
    description: 'The hormones that control how fast the body works.',
    analytes: ['tsh', 'free-t4', 'total-t4', 'free-t3', 'total-t3'],
    common_tat_days: 2,
  },
  {
    ...{ id: 367, provider_id: '60183', slug: 'iron-panel', name: 'Iron Panel', price: '31.00' },
    description: 'The iron that the body carries and stores.',
    analytes: ['iron', 'iron-binding-capacity', 'iron-saturation', 'ferritin'],
  },
  {
    ...{ id: 368, provider_id: '60191', slug: 'a1c-with-average-glucose', name: 'A1c with Average Glucose', price: '17.00' },
    description: 'The average blood sugar of the last three months, as a share and as a concentration.',
    analytes: ['hemoglobin-a1c', 'average-glucose'],
  },
  {
    ...{ id: 369, provider_id: '60206', slug: 'male-hormone-panel', name: 'Male Hormone Panel', price: '89.00' },
    description: 'The hormones that tell most about the health of men.',
    analytes: ['testosterone', 'free-testosterone', 'shbg', 'estradiol', 'lh', 'fsh', 'prolactin'],
    ...{ common_tat_days: 3, worst_case_tat_days: 7 },
  },
  {
    ...{ id: 370, provider_id: '60214', slug: 'female-hormone-panel', name: 'Female Hormone Panel', price: '94.00' },
    description: 'The hormones that tell most about the cycle.',
    analytes: ['estradiol', 'progesterone', 'fsh', 'lh', 'prolactin', 'dhea-sulfate'],
    ...{ common_tat_days: 3, worst_case_tat_days: 7 },
  },
  {
    ...{ id: 371, provider_id: '60222', slug: 'blood-type', name: 'Blood Type', price: '15.00' },
    description: 'The blood group and the Rh factor.',
    analytes: ['abo-group', 'rh-type'],
  },
  {
    ...{ id: 352, provider_id: '60239', slug: 'urinalysis', name: 'Urinalysis', price: '11.00' },
    description: 'A look at the urine, and what a test strip shows in it.',
    analytes: [...strip, ...moreOfStrip],
  },
  {
    ...{ id: 353, provider_id: '60247', slug: 'urine-albumin-panel', name: 'Urine Albumin Panel', price: '21.50' },
    description: 'Albumin in urine, set against creatinine, which shows early damage of the kidneys.',
    analytes: ['urine-albumin', 'urine-creatinine', 'albumin-creatinine-ratio'],
  },
  {
    ...{ id: 386, provider_id: '60255', slug: 'chlamydia-and-gonorrhea', name: 'Chlamydia and Gonorrhea', price: '64.00' },
    description: 'Genetic material of two bacteria, in urine.',
    analytes: ['chlamydia', 'gonorrhea'],
  },
  {
    ...{ id: 392, provider_id: '60263', slug: 'hepatitis-liver-reflex', name: 'Hepatitis Liver Reflex', price: '14.00' },
    description: 'Enzymes of the liver, after a reactive hepatitis C screen.',
    analytes: ['ast', 'alt'],
    is_orderable: false,
  },
];

export const usslPanels: readonly Panel[] = [
  {
    ...{ id: 560, provider_id: 'PN-6012', slug: 'lipid-panel', name: 'Lipid Spot Panel', price: '34.00' },
    description: 'The cholesterol and the fat in a drop of blood.',
    analytes: lipids,
  },
  {
    ...{ id: 561, provider_id: 'PN-6024', slug: 'thyroid-panel', name: 'Thyroid Spot Panel', price: '78.00' },
    description: 'The hormones of the thyroid and antibodies against it, in a drop of blood.',
    analytes: ['tsh', 'free-t4', 'free-t3', 'tpo-antibodies'],
  },
  {
    ...{ id: 562, provider_id: 'PN-6036', slug: 'a1c-with-average-glucose', name: 'A1c Spot Panel', price: '26.00' },
    description: 'The average blood sugar of the last three months, in a drop of blood.',
    analytes: ['hemoglobin-a1c', 'average-glucose'],
  },
  {
    ...{ id: 563, provider_id: 'PN-6048', slug: 'sti-urine-panel', name: 'STI Urine Panel', price: '104.00' },
    description: 'Genetic material of three germs, in urine.',
    analytes: ['chlamydia', 'gonorrhea', 'trichomonas'],
  },
  {
    ...{ id: 564, provider_id: 'PN-6051', slug: 'gut-panel', name: 'Gut Panel', price: '118.00' },
    description: 'Blood, inflammation and a bacterium of the stomach, in stool.',
    analytes: ['stool-blood', 'calprotectin', 'helicobacter-antigen'],
    ...{ common_tat_days: 6, worst_case_tat_days: 12 },
  },
];
