/** A LOINC term. The notice of LOINC's licence is in LOINC-NOTICE.md. */
interface LoincTerm {
  /** The term's long common name. */
  readonly name: string;
  /** LOINC's class of the term, which says what the term is about. */
  readonly class: string;
}

/** Published list of all LOINC codes with their classes: package, version and file. Only codes of this list are used. */
export const loincSource = '@metriport/shared@0.37.0/dist/medical/fhir/loinc/loinc-code-class-lookup.json';

export const loincTerms = {
  '8302-2': { name: 'Body height', class: 'BDYHGT.ATOM' },
  '8310-5': { name: 'Body temperature', class: 'BDYTMP.ATOM' },
  '8462-4': { name: 'Diastolic blood pressure', class: 'BP.ATOM' },
  '8480-6': { name: 'Systolic blood pressure', class: 'BP.ATOM' },
  '8867-4': { name: 'Heart rate', class: 'HRTRATE.ATOM' },
  '8873-2': { name: 'Heart rate 24 hour maximum', class: 'HRTRATE.TIMED.MOL' },
  '9279-1': { name: 'Respiratory rate', class: 'RESP.ATOM' },
  '14646-4': { name: 'Cholesterol in HDL [Moles/volume] in Serum or Plasma', class: 'CHEM' },
  '14647-2': { name: 'Cholesterol [Moles/volume] in Serum or Plasma', class: 'CHEM' },
  '14745-4': { name: 'Glucose [Moles/volume] in Body fluid', class: 'CHEM' },
  '14927-8': { name: 'Triglyceride [Moles/volume] in Serum or Plasma', class: 'CHEM' },
  '20150-9': { name: 'FEV1', class: 'PULM' },
  '22748-8': { name: 'Cholesterol in LDL [Moles/volume] in Serum or Plasma', class: 'CHEM' },
  '29463-7': { name: 'Body weight', class: 'BDYWGT.ATOM' },
  '33452-4': { name: 'Maximum expiratory gas flow Respiratory system airway', class: 'PULM' },
  '39156-5': { name: 'Body mass index (BMI) [Ratio]', class: 'BDYWGT.ATOM' },
  '40443-4': { name: 'Heart rate --resting', class: 'HRTRATE.MOLEC' },
  '41950-7': { name: 'Number of steps in 24 hour Measured', class: 'CLIN' },
  '41979-6': { name: 'Calories burned in 24 hour Calculated', class: 'CLIN' },
  '41982-0': { name: 'Percentage of body fat Measured', class: 'BDYWGT.ATOM' },
  '55411-3': { name: 'Exercise duration', class: 'CLIN' },
  '55423-8': { name: 'Number of steps in unspecified time Pedometer', class: 'CLIN' },
  '59408-5': { name: 'Oxygen saturation in Arterial blood by Pulse oximetry', class: 'PULM' },
  '91557-9': { name: 'Lean body weight', class: 'BDYWGT.ATOM' },
  '93829-0': { name: 'REM sleep duration', class: 'H&P.HX' },
  '93830-8': { name: 'Light sleep duration', class: 'H&P.HX' },
  '93831-6': { name: 'Deep sleep duration', class: 'H&P.HX' },
  '93832-4': { name: 'Sleep duration', class: 'H&P.HX' },
  '94122-9': { name: 'Oxygen consumption (VO2)/Body weight [Volume Rate Content] --peak during exercise', class: 'PULM' },
  '101688-0': { name: 'Duration of light activity', class: 'H&P.HX' },
  '101689-8': { name: 'Duration of moderate activity', class: 'H&P.HX' },
  '101690-6': { name: 'Duration of vigorous activity', class: 'H&P.HX' },
} as const satisfies Record<string, LoincTerm>;

export type LoincCode = keyof typeof loincTerms;
