/** A LOINC term. The notice of LOINC's licence is in LOINC-NOTICE.md. */
interface LoincTerm {
  /** The term's long common name. */
  readonly name: string;
  /** Address of a page that defines or uses the term. */
  readonly source: string;
}

const VITAL_SIGNS = 'http://hl7.org/fhir/R4/observation-vitalsigns.html';
const PULSE_OXIMETRY = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-pulse-oximetry';
const PHYSICAL_ACTIVITY = 'http://hl7.org/fhir/us/physical-activity';
const GLUCOSE_MONITORING = 'http://hl7.org/fhir/uv/cgm/StructureDefinition/cgm-sensor-reading-moles-per-volume';
const ACTIVITY_GROUP = 'https://loinc.org/LG41761-4';
const termPage = (code: string): string => `https://loinc.org/${code}`;

export const loincTerms = {
  '8302-2': { name: 'Body height', source: VITAL_SIGNS },
  '8310-5': { name: 'Body temperature', source: VITAL_SIGNS },
  '8462-4': { name: 'Diastolic blood pressure', source: VITAL_SIGNS },
  '8480-6': { name: 'Systolic blood pressure', source: VITAL_SIGNS },
  '8867-4': { name: 'Heart rate', source: VITAL_SIGNS },
  '8873-2': { name: 'Heart rate 24 hour maximum', source: PHYSICAL_ACTIVITY },
  '9279-1': { name: 'Respiratory rate', source: VITAL_SIGNS },
  '14646-4': { name: 'Cholesterol in HDL [Moles/volume] in Serum or Plasma', source: termPage('14646-4') },
  '14647-2': { name: 'Cholesterol [Moles/volume] in Serum or Plasma', source: termPage('14647-2') },
  '14745-4': { name: 'Glucose [Moles/volume] in Body fluid', source: GLUCOSE_MONITORING },
  '14927-8': { name: 'Triglyceride [Moles/volume] in Serum or Plasma', source: termPage('14927-8') },
  '20150-9': { name: 'FEV1', source: termPage('20150-9') },
  '22748-8': { name: 'Cholesterol in LDL [Moles/volume] in Serum or Plasma', source: termPage('22748-8') },
  '29463-7': { name: 'Body weight', source: VITAL_SIGNS },
  '33452-4': { name: 'Maximum expiratory gas flow Respiratory system airway', source: termPage('33452-4') },
  '39156-5': { name: 'Body mass index (BMI) [Ratio]', source: VITAL_SIGNS },
  '40443-4': { name: 'Heart rate --resting', source: PHYSICAL_ACTIVITY },
  '41950-7': { name: 'Number of steps in 24 hour Measured', source: PHYSICAL_ACTIVITY },
  '41979-6': { name: 'Calories burned in 24 hour Calculated', source: PHYSICAL_ACTIVITY },
  '41982-0': { name: 'Percentage of body fat Measured', source: termPage('41982-0') },
  '55411-3': { name: 'Exercise duration', source: PHYSICAL_ACTIVITY },
  '55423-8': { name: 'Number of steps in unspecified time Pedometer', source: termPage('55423-8') },
  '59408-5': { name: 'Oxygen saturation in Arterial blood by Pulse oximetry', source: PULSE_OXIMETRY },
  '91557-9': { name: 'Lean body weight', source: termPage('91557-9') },
  '93829-0': { name: 'REM sleep duration', source: termPage('93829-0') },
  '93830-8': { name: 'Light sleep duration', source: termPage('93830-8') },
  '93831-6': { name: 'Deep sleep duration', source: termPage('93831-6') },
  '93832-4': { name: 'Sleep duration', source: termPage('93832-4') },
  '94122-9': {
    name: 'Oxygen consumption (VO2)/Body weight [Volume Rate Content] --peak during exercise',
    source: termPage('94122-9'),
  },
  '101688-0': { name: 'Duration of light activity', source: ACTIVITY_GROUP },
  '101689-8': { name: 'Duration of moderate activity', source: ACTIVITY_GROUP },
  '101690-6': { name: 'Duration of vigorous activity', source: ACTIVITY_GROUP },
} as const satisfies Record<string, LoincTerm>;

export type LoincCode = keyof typeof loincTerms;
