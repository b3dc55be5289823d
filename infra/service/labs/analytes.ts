/** One result that a laboratory can report, such as LDL cholesterol. */
export interface Analyte {
  /** Such as `ldl-cholesterol`. */
  readonly slug: string;
  readonly name: string;
  readonly loinc: Loinc;
  readonly values: NumericValues | TextValues;
}

interface Loinc {
  /** Such as `13457-7`. */
  readonly code: string;
  /** The name in LOINC. */
  readonly name: string;
}

/** A number with a unit, or `<` or `>` with the limit of detection (`range`). */
export interface NumericValues {
  readonly kind: 'numeric' | 'range';
  readonly unit: string | null;
  /** Digits behind the point. */
  readonly decimals: number;
  /** The reference range of healthy people. A missing bound means that there is none. */
  readonly low?: number;
  readonly high?: number;
  /** Values below or above are critical. Most analytes have no such bounds. */
  readonly criticalLow?: number;
  readonly criticalHigh?: number;
}

/** A text of a closed list (`coded_value`), or a remark in words (`comment`). */
export interface TextValues {
  readonly kind: 'coded_value' | 'comment';
  readonly normal: readonly string[];
  readonly abnormal: readonly string[];
}

type Texts = Omit<TextValues, 'kind'>;

/** The codes of LOINC that the catalogue uses, with their long common names. */
const loincNames = {
  '2345-7': 'Glucose [Mass/volume] in Serum or Plasma',
  '3094-0': 'Urea nitrogen [Mass/volume] in Serum or Plasma',
  '2160-0': 'Creatinine [Mass/volume] in Serum or Plasma',
  '98979-8':
    'Glomerular filtration rate/1.73 sq M.predicted [Volume Rate/Area] in Serum, Plasma or Blood by Creatinine-based formula (CKD-EPI 2021)',
  '2951-2': 'Sodium [Moles/volume] in Serum or Plasma',
  '2823-3': 'Potassium [Moles/volume] in Serum or Plasma',
  '2075-0': 'Chloride [Moles/volume] in Serum or Plasma',
  '2028-9': 'Carbon dioxide, total [Moles/volume] in Serum or Plasma',
  '17861-6': 'Calcium [Mass/volume] in Serum or Plasma',
  '19123-9': 'Magnesium [Mass/volume] in Serum or Plasma',
  '2885-2': 'Protein [Mass/volume] in Serum or Plasma',
  '1751-7': 'Albumin [Mass/volume] in Serum or Plasma',
  '1975-2': 'Bilirubin.total [Mass/volume] in Serum or Plasma',
  '1968-7': 'Bilirubin.direct [Mass/volume] in Serum or Plasma',
  '6768-6': 'Alkaline phosphatase [Enzymatic activity/volume] in Serum or Plasma',
  '1920-8': 'Aspartate aminotransferase [Enzymatic activity/volume] in Serum or Plasma',
  '1742-6': 'Alanine aminotransferase [Enzymatic activity/volume] in Serum or Plasma',
  '2324-2': 'Gamma glutamyl transferase [Enzymatic activity/volume] in Serum or Plasma',
  '3084-1': 'Urate [Mass/volume] in Serum or Plasma',
  '3040-3': 'Lipase [Enzymatic activity/volume] in Serum or Plasma',
  '2093-3': 'Cholesterol [Mass/volume] in Serum or Plasma',
  '2085-9': 'Cholesterol in HDL [Mass/volume] in Serum or Plasma',
  '13457-7': 'Cholesterol in LDL [Mass/volume] in Serum or Plasma by calculation',
  '2571-8': 'Triglyceride [Mass/volume] in Serum or Plasma',
  '43396-1': 'Cholesterol non HDL [Mass/volume] in Serum or Plasma',
  '9830-1': 'Cholesterol.total/Cholesterol in HDL [Mass Ratio] in Serum or Plasma',
  '1884-6': 'Apolipoprotein B [Mass/volume] in Serum or Plasma',
  '43583-4': 'Lipoprotein a [Moles/volume] in Serum or Plasma',
  '30522-7': 'C reactive protein [Mass/volume] in Serum or Plasma by High sensitivity method',
  '13965-9': 'Homocysteine [Moles/volume] in Serum or Plasma',
  '4548-4': 'Hemoglobin A1c/Hemoglobin.total in Blood',
  '27353-2': 'Glucose mean value [Mass/volume] in Blood Estimated from glycated hemoglobin',
  '20448-7': 'Insulin [Units/volume] in Serum or Plasma',
  '6690-2': 'Leukocytes [#/volume] in Blood by Automated count',
  '789-8': 'Erythrocytes [#/volume] in Blood by Automated count',
  '718-7': 'Hemoglobin [Mass/volume] in Blood',
  '4544-3': 'Hematocrit [Volume Fraction] of Blood by Automated count',
  '787-2': 'MCV [Entitic volume] by Automated count',
  '785-6': 'MCH [Entitic mass] by Automated count',
  '786-4': 'MCHC [Mass/volume] by Automated count',
  '788-0': 'Erythrocyte distribution width [Ratio] by Automated count',
  '777-3': 'Platelets [#/volume] in Blood by Automated count',
  '32623-1': 'Platelet mean volume [Entitic volume] in Blood by Automated count',
  '751-8': 'Neutrophils [#/volume] in Blood by Automated count',
  '731-0': 'Lymphocytes [#/volume] in Blood by Automated count',
  '742-7': 'Monocytes [#/volume] in Blood by Automated count',
  '711-2': 'Eosinophils [#/volume] in Blood by Automated count',
  '704-7': 'Basophils [#/volume] in Blood by Automated count',
  '5909-7': 'Blood smear finding [Identifier] in Blood by Light microscopy',
  '6301-6': 'INR in Platelet poor plasma by Coagulation assay',
  '883-9': 'ABO group [Type] in Blood',
  '10331-7': 'Rh [Type] in Blood',
  '3016-3': 'Thyrotropin [Units/volume] in Serum or Plasma',
  '3024-7': 'Thyroxine (T4) free [Mass/volume] in Serum or Plasma',
  '3026-2': 'Thyroxine (T4) [Mass/volume] in Serum or Plasma',
  '3051-0': 'Triiodothyronine (T3) free [Mass/volume] in Serum or Plasma',
  '3053-6': 'Triiodothyronine (T3) [Mass/volume] in Serum or Plasma',
  '8099-4': 'Thyroperoxidase Ab [Units/volume] in Serum or Plasma',
  '2498-4': 'Iron [Mass/volume] in Serum or Plasma',
  '2500-7': 'Iron binding capacity [Mass/volume] in Serum or Plasma',
  '2502-3': 'Iron saturation [Mass Fraction] in Serum or Plasma',
  '2276-4': 'Ferritin [Mass/volume] in Serum or Plasma',
  '1989-3': '25-hydroxyvitamin D3 [Mass/volume] in Serum or Plasma',
  '2132-9': 'Cobalamin (Vitamin B12) [Mass/volume] in Serum or Plasma',
  '2284-8': 'Folate [Mass/volume] in Serum or Plasma',
  '2986-8': 'Testosterone [Mass/volume] in Serum or Plasma',
  '2991-8': 'Testosterone Free [Mass/volume] in Serum or Plasma',
  '13967-5': 'Sex hormone binding globulin [Moles/volume] in Serum or Plasma',
  '2243-4': 'Estradiol (E2) [Mass/volume] in Serum or Plasma',
  '2839-9': 'Progesterone [Mass/volume] in Serum or Plasma',
  '15067-2': 'Follitropin [Units/volume] in Serum or Plasma',
  '10501-5': 'Lutropin [Units/volume] in Serum or Plasma',
  '2842-3': 'Prolactin [Mass/volume] in Serum or Plasma',
  '2191-5': 'Dehydroepiandrosterone sulfate (DHEA-S) [Mass/volume] in Serum or Plasma',
  '2143-6': 'Cortisol [Mass/volume] in Serum or Plasma',
  '2142-8': 'Cortisol [Mass/volume] in Saliva (oral fluid)',
  '2985-0': 'Testosterone [Mass/volume] in Saliva (oral fluid)',
  '2857-1': 'Prostate specific Ag [Mass/volume] in Serum or Plasma',
  '21198-7': 'Choriogonadotropin.beta subunit [Units/volume] in Serum or Plasma',
  '14957-5': 'Microalbumin [Mass/volume] in Urine',
  '2161-8': 'Creatinine [Mass/volume] in Urine',
  '9318-7': 'Albumin/Creatinine [Mass Ratio] in Urine',
  '5778-6': 'Color of Urine',
  '5767-9': 'Appearance of Urine',
  '5811-5': 'Specific gravity of Urine by Test strip',
  '5803-2': 'pH of Urine by Test strip',
  '25428-4': 'Glucose [Presence] in Urine by Test strip',
  '20454-5': 'Protein [Presence] in Urine by Test strip',
  '2514-8': 'Ketones [Presence] in Urine by Test strip',
  '5794-3': 'Hemoglobin [Presence] in Urine by Test strip',
  '5802-4': 'Nitrite [Presence] in Urine by Test strip',
  '5799-2': 'Leukocyte esterase [Presence] in Urine by Test strip',
  '630-4': 'Bacteria identified in Urine by Culture',
  '42931-6': 'Chlamydia trachomatis rRNA [Presence] in Urine by NAA with probe detection',
  '60256-5': 'Neisseria gonorrhoeae rRNA [Presence] in Urine by NAA with probe detection',
  '46154-1': 'Trichomonas vaginalis rRNA [Presence] in Specimen by NAA with probe detection',
  '56888-1': 'HIV 1+2 Ab+HIV1 p24 Ag [Presence] in Serum or Plasma by Immunoassay',
  '29893-5': 'HIV 1 Ab [Presence] in Serum or Plasma by Immunoassay',
  '24110-9': 'Treponema pallidum Ab [Presence] in Serum by Immunoassay',
  '13955-0': 'Hepatitis C virus Ab [Presence] in Serum or Plasma by Immunoassay',
  '5196-1': 'Hepatitis B virus surface Ag [Presence] in Serum or Plasma by Immunoassay',
  '29771-3': 'Hemoglobin.gastrointestinal.lower [Presence] in Stool by Immunoassay',
  '38445-3': 'Calprotectin [Mass/mass] in Stool',
  '17780-8': 'Helicobacter pylori Ag [Presence] in Stool by Immunoassay',
} as const;

type LoincCode = keyof typeof loincNames;

const loincOf = (code: LoincCode): Analyte['loinc'] => ({ code, name: loincNames[code] });

const measured =
  (kind: NumericValues['kind']) =>
  (slug: string, name: string, code: LoincCode, numbers: Omit<NumericValues, 'kind'>): Analyte => ({
    slug,
    name,
    loinc: loincOf(code),
    values: { kind, ...numbers },
  });

const described =
  (kind: TextValues['kind']) =>
  (slug: string, name: string, code: LoincCode, texts: Texts): Analyte => ({
    slug,
    name,
    loinc: loincOf(code),
    values: { kind, ...texts },
  });

const numeric = measured('numeric');
/** An analyte that often is below or above what the method can measure. */
const limited = measured('range');
const coded = described('coded_value');
const comment = described('comment');

const presence: Texts = { normal: ['Negative'], abnormal: ['Positive'] };
const detection: Texts = { normal: ['Not Detected'], abnormal: ['Detected'] };
const reaction: Texts = { normal: ['Non-Reactive'], abnormal: ['Reactive'] };
const strip: Texts = { normal: ['Negative'], abnormal: ['Trace', '1+', '2+', '3+'] };
const type = (...normal: readonly string[]): Texts => ({ normal, abnormal: [] });

/** The reference ranges are those of adults. If they differ by sex, the range covers both. */
const chemistry: readonly Analyte[] = [
  numeric('glucose', 'Glucose', '2345-7', { unit: 'mg/dL', decimals: 0, low: 65, high: 99, criticalLow: 45, criticalHigh: 500 }),
  numeric('urea-nitrogen', 'Urea Nitrogen', '3094-0', { unit: 'mg/dL', decimals: 0, low: 7, high: 25, criticalHigh: 100 }),
  numeric('creatinine', 'Creatinine', '2160-0', { unit: 'mg/dL', decimals: 2, low: 0.5, high: 1.3, criticalHigh: 7.4 }),
  numeric('egfr', 'eGFR', '98979-8', { unit: 'mL/min/1.73m2', decimals: 0, low: 60, criticalLow: 15 }),
  numeric('sodium', 'Sodium', '2951-2', {
    unit: 'mmol/L',
    decimals: 0,
    low: 135,
    high: 146,
    criticalLow: 120,
    criticalHigh: 160,
  }),
  numeric('potassium', 'Potassium', '2823-3', {
    unit: 'mmol/L',
    decimals: 1,
    low: 3.5,
    high: 5.3,
    criticalLow: 2.8,
    criticalHigh: 6.2,
  }),
  numeric('chloride', 'Chloride', '2075-0', {
    unit: 'mmol/L',
    decimals: 0,
    low: 98,
    high: 110,
    criticalLow: 80,
    criticalHigh: 120,
  }),
  numeric('carbon-dioxide', 'Carbon Dioxide', '2028-9', {
    unit: 'mmol/L',
    decimals: 0,
    low: 20,
    high: 32,
    criticalLow: 10,
    criticalHigh: 40,
  }),
  numeric('calcium', 'Calcium', '17861-6', {
    unit: 'mg/dL',
    decimals: 1,
    low: 8.6,
    high: 10.4,
    criticalLow: 6.5,
    criticalHigh: 13,
  }),
  numeric('magnesium', 'Magnesium', '19123-9', {
    unit: 'mg/dL',
    decimals: 1,
    low: 1.5,
    high: 2.5,
    criticalLow: 1,
    criticalHigh: 4.9,
  }),
  numeric('total-protein', 'Total Protein', '2885-2', { unit: 'g/dL', decimals: 1, low: 6.1, high: 8.1 }),
  numeric('albumin', 'Albumin', '1751-7', { unit: 'g/dL', decimals: 1, low: 3.6, high: 5.1 }),
  numeric('total-bilirubin', 'Total Bilirubin', '1975-2', { unit: 'mg/dL', decimals: 1, low: 0.2, high: 1.2, criticalHigh: 15 }),
  numeric('direct-bilirubin', 'Direct Bilirubin', '1968-7', { unit: 'mg/dL', decimals: 1, high: 0.2 }),
  numeric('alkaline-phosphatase', 'Alkaline Phosphatase', '6768-6', { unit: 'U/L', decimals: 0, low: 36, high: 130 }),
  numeric('ast', 'AST', '1920-8', { unit: 'U/L', decimals: 0, low: 10, high: 40, criticalHigh: 1000 }),
  numeric('alt', 'ALT', '1742-6', { unit: 'U/L', decimals: 0, low: 6, high: 46, criticalHigh: 1000 }),
  numeric('ggt', 'GGT', '2324-2', { unit: 'U/L', decimals: 0, low: 3, high: 70 }),
  numeric('uric-acid', 'Uric Acid', '3084-1', { unit: 'mg/dL', decimals: 1, low: 2.5, high: 8 }),
  numeric('lipase', 'Lipase', '3040-3', { unit: 'U/L', decimals: 0, low: 7, high: 60 }),
];

const heart: readonly Analyte[] = [
  numeric('total-cholesterol', 'Total Cholesterol', '2093-3', { unit: 'mg/dL', decimals: 0, high: 199 }),
  numeric('hdl-cholesterol', 'HDL Cholesterol', '2085-9', { unit: 'mg/dL', decimals: 0, low: 40 }),
  numeric('ldl-cholesterol', 'LDL Cholesterol', '13457-7', { unit: 'mg/dL', decimals: 0, high: 99 }),
  numeric('triglycerides', 'Triglycerides', '2571-8', { unit: 'mg/dL', decimals: 0, high: 149, criticalHigh: 1000 }),
  numeric('non-hdl-cholesterol', 'Non-HDL Cholesterol', '43396-1', { unit: 'mg/dL', decimals: 0, high: 129 }),
  numeric('cholesterol-hdl-ratio', 'Cholesterol/HDL Ratio', '9830-1', { unit: null, decimals: 1, high: 4.9 }),
  numeric('apolipoprotein-b', 'Apolipoprotein B', '1884-6', { unit: 'mg/dL', decimals: 0, high: 89 }),
  limited('lipoprotein-a', 'Lipoprotein (a)', '43583-4', { unit: 'nmol/L', decimals: 0, high: 74 }),
  limited('hs-crp', 'hs-CRP', '30522-7', { unit: 'mg/L', decimals: 1, high: 3 }),
  numeric('homocysteine', 'Homocysteine', '13965-9', { unit: 'umol/L', decimals: 1, high: 11.4 }),
  numeric('hemoglobin-a1c', 'Hemoglobin A1c', '4548-4', { unit: '%', decimals: 1, low: 4, high: 5.6 }),
  numeric('average-glucose', 'Estimated Average Glucose', '27353-2', { unit: 'mg/dL', decimals: 0, low: 68, high: 114 }),
  limited('insulin', 'Insulin', '20448-7', { unit: 'uIU/mL', decimals: 1, high: 18.4 }),
];

const blood: readonly Analyte[] = [
  numeric('leukocytes', 'White Blood Cell Count', '6690-2', {
    unit: '10*3/uL',
    decimals: 1,
    low: 3.8,
    high: 10.8,
    criticalLow: 1.5,
    criticalHigh: 40,
  }),
  numeric('erythrocytes', 'Red Blood Cell Count', '789-8', { unit: '10*6/uL', decimals: 2, low: 3.8, high: 5.8 }),
  numeric('hemoglobin', 'Hemoglobin', '718-7', {
    unit: 'g/dL',
    decimals: 1,
    low: 11.7,
    high: 17.1,
    criticalLow: 6.5,
    criticalHigh: 20,
  }),
  numeric('hematocrit', 'Hematocrit', '4544-3', { unit: '%', decimals: 1, low: 35, high: 50, criticalLow: 20, criticalHigh: 60 }),
  numeric('mcv', 'MCV', '787-2', { unit: 'fL', decimals: 1, low: 80, high: 100 }),
  numeric('mch', 'MCH', '785-6', { unit: 'pg', decimals: 1, low: 27, high: 33 }),
  numeric('mchc', 'MCHC', '786-4', { unit: 'g/dL', decimals: 1, low: 32, high: 36 }),
  numeric('rdw', 'RDW', '788-0', { unit: '%', decimals: 1, low: 11, high: 15 }),
  numeric('platelets', 'Platelet Count', '777-3', {
    unit: '10*3/uL',
    decimals: 0,
    low: 140,
    high: 400,
    criticalLow: 20,
    criticalHigh: 1000,
  }),
  numeric('mpv', 'MPV', '32623-1', { unit: 'fL', decimals: 1, low: 7.5, high: 12.5 }),
  numeric('neutrophils', 'Neutrophils', '751-8', { unit: '10*3/uL', decimals: 2, low: 1.5, high: 7.8, criticalLow: 0.5 }),
  numeric('lymphocytes', 'Lymphocytes', '731-0', { unit: '10*3/uL', decimals: 2, low: 0.85, high: 3.9 }),
  numeric('monocytes', 'Monocytes', '742-7', { unit: '10*3/uL', decimals: 2, low: 0.2, high: 0.95 }),
  numeric('eosinophils', 'Eosinophils', '711-2', { unit: '10*3/uL', decimals: 2, low: 0.01, high: 0.5 }),
  numeric('basophils', 'Basophils', '704-7', { unit: '10*3/uL', decimals: 2, high: 0.2 }),
  comment('blood-smear', 'Blood Smear Finding', '5909-7', {
    normal: ['The cells of the smear look normal.'],
    abnormal: ['The smear has some large platelets.', 'The smear has some reactive lymphocytes.'],
  }),
  numeric('inr', 'INR', '6301-6', { unit: null, decimals: 1, low: 0.9, high: 1.1, criticalHigh: 5 }),
  coded('abo-group', 'ABO Group', '883-9', type('A', 'B', 'AB', 'O')),
  coded('rh-type', 'Rh Type', '10331-7', type('Positive', 'Negative')),
  numeric('iron', 'Iron', '2498-4', { unit: 'ug/dL', decimals: 0, low: 40, high: 190 }),
  numeric('iron-binding-capacity', 'Iron Binding Capacity', '2500-7', { unit: 'ug/dL', decimals: 0, low: 250, high: 450 }),
  numeric('iron-saturation', 'Iron Saturation', '2502-3', { unit: '%', decimals: 0, low: 16, high: 48 }),
  numeric('ferritin', 'Ferritin', '2276-4', { unit: 'ng/mL', decimals: 0, low: 16, high: 380 }),
  numeric('vitamin-d', 'Vitamin D', '1989-3', { unit: 'ng/mL', decimals: 0, low: 30, high: 100, criticalHigh: 150 }),
  limited('vitamin-b12', 'Vitamin B12', '2132-9', { unit: 'pg/mL', decimals: 0, low: 200, high: 1100 }),
  limited('folate', 'Folate', '2284-8', { unit: 'ng/mL', decimals: 1, low: 5.4 }),
];

const hormones: readonly Analyte[] = [
  limited('tsh', 'TSH', '3016-3', { unit: 'mIU/L', decimals: 2, low: 0.4, high: 4.5 }),
  numeric('free-t4', 'Free T4', '3024-7', { unit: 'ng/dL', decimals: 1, low: 0.8, high: 1.8 }),
  numeric('total-t4', 'Total T4', '3026-2', { unit: 'ug/dL', decimals: 1, low: 5.1, high: 11.9 }),
  numeric('free-t3', 'Free T3', '3051-0', { unit: 'pg/mL', decimals: 1, low: 2.3, high: 4.2 }),
  numeric('total-t3', 'Total T3', '3053-6', { unit: 'ng/dL', decimals: 0, low: 76, high: 181 }),
  limited('tpo-antibodies', 'Thyroid Peroxidase Antibodies', '8099-4', { unit: 'IU/mL', decimals: 0, high: 9 }),
  numeric('testosterone', 'Testosterone', '2986-8', { unit: 'ng/dL', decimals: 0, low: 2, high: 827 }),
  numeric('free-testosterone', 'Free Testosterone', '2991-8', { unit: 'pg/mL', decimals: 1, low: 0.1, high: 155 }),
  numeric('shbg', 'SHBG', '13967-5', { unit: 'nmol/L', decimals: 0, low: 10, high: 124 }),
  limited('estradiol', 'Estradiol', '2243-4', { unit: 'pg/mL', decimals: 0, high: 357 }),
  limited('progesterone', 'Progesterone', '2839-9', { unit: 'ng/mL', decimals: 1, high: 21.5 }),
  numeric('fsh', 'FSH', '15067-2', { unit: 'mIU/mL', decimals: 1, low: 1.4, high: 116.3 }),
  numeric('lh', 'LH', '10501-5', { unit: 'mIU/mL', decimals: 1, low: 0.5, high: 76.3 }),
  numeric('prolactin', 'Prolactin', '2842-3', { unit: 'ng/mL', decimals: 1, low: 2, high: 30 }),
  numeric('dhea-sulfate', 'DHEA Sulfate', '2191-5', { unit: 'ug/dL', decimals: 0, low: 5, high: 415 }),
  numeric('cortisol', 'Cortisol', '2143-6', { unit: 'ug/dL', decimals: 1, low: 4, high: 22 }),
  numeric('salivary-cortisol', 'Salivary Cortisol', '2142-8', { unit: 'ug/dL', decimals: 2, low: 0.04, high: 0.56 }),
  limited('salivary-testosterone', 'Salivary Testosterone', '2985-0', { unit: 'pg/mL', decimals: 0, low: 5, high: 143 }),
  limited('psa', 'PSA', '2857-1', { unit: 'ng/mL', decimals: 2, high: 4 }),
  limited('hcg', 'hCG', '21198-7', { unit: 'mIU/mL', decimals: 0, high: 5 }),
];

const urine: readonly Analyte[] = [
  limited('urine-albumin', 'Urine Albumin', '14957-5', { unit: 'mg/dL', decimals: 1, high: 1.9 }),
  numeric('urine-creatinine', 'Urine Creatinine', '2161-8', { unit: 'mg/dL', decimals: 0, low: 20, high: 320 }),
  numeric('albumin-creatinine-ratio', 'Albumin/Creatinine Ratio', '9318-7', { unit: 'mg/g', decimals: 0, high: 29 }),
  coded('urine-color', 'Urine Color', '5778-6', { normal: ['Yellow'], abnormal: ['Amber', 'Red', 'Brown'] }),
  coded('urine-appearance', 'Urine Appearance', '5767-9', { normal: ['Clear'], abnormal: ['Cloudy', 'Turbid'] }),
  numeric('urine-specific-gravity', 'Urine Specific Gravity', '5811-5', { unit: null, decimals: 3, low: 1.001, high: 1.035 }),
  numeric('urine-ph', 'Urine pH', '5803-2', { unit: null, decimals: 1, low: 5, high: 8 }),
  coded('urine-glucose', 'Urine Glucose', '25428-4', strip),
  coded('urine-protein', 'Urine Protein', '20454-5', strip),
  coded('urine-ketones', 'Urine Ketones', '2514-8', strip),
  coded('urine-blood', 'Urine Blood', '5794-3', strip),
  coded('urine-nitrite', 'Urine Nitrite', '5802-4', presence),
  coded('urine-leukocyte-esterase', 'Urine Leukocyte Esterase', '5799-2', strip),
  comment('urine-culture', 'Urine Culture', '630-4', {
    normal: ['No growth after two days.'],
    abnormal: ['Escherichia coli, more than 100,000 colonies in a milliliter.', 'Mixed growth. Collect a new sample.'],
  }),
];

const infections: readonly Analyte[] = [
  coded('chlamydia', 'Chlamydia', '42931-6', detection),
  coded('gonorrhea', 'Gonorrhea', '60256-5', detection),
  coded('trichomonas', 'Trichomonas', '46154-1', detection),
  coded('hiv-screen', 'HIV Screen', '56888-1', reaction),
  coded('hiv-1-antibody', 'HIV-1 Antibody', '29893-5', presence),
  coded('syphilis-antibody', 'Syphilis Antibody', '24110-9', reaction),
  coded('hepatitis-c-antibody', 'Hepatitis C Antibody', '13955-0', reaction),
  coded('hepatitis-b-antigen', 'Hepatitis B Surface Antigen', '5196-1', reaction),
];

const stool: readonly Analyte[] = [
  coded('stool-blood', 'Stool Blood', '29771-3', presence),
  limited('calprotectin', 'Calprotectin', '38445-3', { unit: 'ug/g', decimals: 0, high: 50 }),
  coded('helicobacter-antigen', 'H. pylori Antigen', '17780-8', detection),
];

export const analytes: readonly Analyte[] = [...chemistry, ...heart, ...blood, ...hormones, ...urine, ...infections, ...stool];
