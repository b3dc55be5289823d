import { type Random, randomOf } from '@aorta/people';
import { instant } from '../api/times.ts';
import { canBe, drawFinding, withoutInterpretation } from './finding.ts';
import {
  type ExpectedResult,
  type FailureType,
  type Interpretation,
  identityOf,
  interpretations,
  type LabResults,
  type MissingResult,
  type Result,
  type ResultType,
} from './result.ts';

/** The wishes of a script or of the simulation. Without a wish, the random numbers decide. */
export interface Course {
  /**
   * The interpretation of the whole order. If no analyte can have it, the results have the worst one that is milder.
   * With `unknown`, the laboratory reports neither reference ranges nor interpretations.
   */
  readonly interpretation?: Interpretation | undefined;
  /** Only results of these types, if the order has any. */
  readonly resultTypes?: readonly ResultType[] | undefined;
  /** At least one result is missing, or none. */
  readonly hasMissing?: boolean | undefined;
}

export interface Measurement {
  /** When the laboratory measured, in milliseconds since 1970. */
  readonly time: number;
  readonly laboratory: string;
  readonly sampleId: string | null;
}

const share = { critical: 1 / 50, abnormal: 1 / 4, missing: 1 / 20 };
/** How many of the further results in an order that is not normal are not normal either. */
const furtherShare = { critical: 1 / 10, abnormal: 1 / 4 };

/**
 * Returns the results of an order, in the order of the expected results. The same seed, of at least 12 bytes, gives the
 * same results. Throws {@link RangeError} if a result must be normal and its analyte has no normal value.
 */
export function resultsOf(expected: readonly ExpectedResult[], seed: Buffer, course: Course, at: Measurement): LabResults {
  const random = randomOf(seed.readUInt32LE(0), seed.readUInt32LE(4), seed.readUInt32LE(8));
  const target = course.interpretation ?? drawInterpretation(random);
  const reported = ofTypes(expected, course.resultTypes ?? []);
  const lead = drawLead(reported, target, random);
  // An order has a result unless the caller wishes that its only result is missing.
  const hasMissing = course.hasMissing ?? (expected.length > 1 && random.chance(share.missing));
  const missing = hasMissing ? drawMissing(expected, lead?.expected, random) : new Set<ExpectedResult>();
  return {
    results: reported
      .filter((one) => !missing.has(one))
      .map((one) => {
        const wish = one === lead?.expected ? lead.interpretation : furtherInterpretation(one, target, random);
        return resultOf(one, { wish, isInterpreted: target !== 'unknown', at }, random);
      }),
    missing: expected.filter((one) => missing.has(one)).map((one) => missingResultOf(one, random)),
  };
}

function drawInterpretation(random: Random): Interpretation {
  const drawn = random.uniform();
  if (drawn < share.critical) return 'critical';
  return drawn < share.critical + share.abnormal ? 'abnormal' : 'normal';
}

function ofTypes(expected: readonly ExpectedResult[], types: readonly ResultType[]): readonly ExpectedResult[] {
  const some = expected.filter(({ analyte }) => types.includes(analyte.values.kind));
  return some.length > 0 ? some : expected;
}

/** The interpretations of a value, the wanted one first and then the milder ones. A value without interpretation comes last. */
const downFrom = (wanted: Interpretation): readonly Interpretation[] =>
  interpretations.slice(0, interpretations.indexOf(wanted === 'unknown' ? 'normal' : wanted) + 1).reverse();

/** Draws the result that gives the order its interpretation. */
function drawLead(reported: readonly ExpectedResult[], target: Interpretation, random: Random) {
  for (const interpretation of downFrom(target)) {
    const able = reported.filter(({ analyte }) => canBe(analyte, interpretation));
    if (able.length > 0) return { expected: random.pick(able), interpretation };
  }
  return undefined;
}

function furtherInterpretation({ analyte }: ExpectedResult, target: Interpretation, random: Random): Interpretation {
  const drawn = random.uniform();
  const isHealthy = target === 'normal' || target === 'unknown';
  let wanted: Interpretation = 'normal';
  if (target === 'critical' && drawn < furtherShare.critical) wanted = 'critical';
  else if (!isHealthy && drawn < furtherShare.abnormal) wanted = 'abnormal';
  const interpretation = downFrom(wanted).find((one) => canBe(analyte, one));
  if (interpretation === undefined) throw new RangeError(`The analyte ${analyte.slug} has no normal value.`);
  return interpretation;
}

/** Draws the missing results. The lead is missing only if there is no other result. */
function drawMissing(
  expected: readonly ExpectedResult[],
  lead: ExpectedResult | undefined,
  random: Random,
): ReadonlySet<ExpectedResult> {
  const others = expected.filter((one) => one !== lead);
  const candidates = others.length > 0 ? others : expected;
  return new Set(random.shuffled(candidates).slice(0, random.whole(1, Math.ceil(candidates.length / 4))));
}

interface Report {
  readonly wish: Interpretation;
  readonly isInterpreted: boolean;
  readonly at: Measurement;
}

function resultOf(expected: ExpectedResult, { wish, isInterpreted, at }: Report, random: Random): Result {
  const drawn = drawFinding(expected.analyte, wish, random);
  const finding = isInterpreted ? drawn : withoutInterpretation(drawn);
  return {
    ...identityOf(expected),
    ...finding,
    result_type: expected.analyte.values.kind,
    timestamp: instant(at.time),
    notes: finding.interpretation === 'critical' ? 'The laboratory repeated the measurement.' : null,
    performing_laboratory: at.laboratory,
    source_sample_id: at.sampleId,
  };
}

/** Reasons why a laboratory has no result, each with its note. */
const failures: readonly (readonly [FailureType, string])[] = [
  ['quantity_not_sufficient_failure', 'The laboratory did not receive enough of the sample for this test.'],
  ['insufficient_volume', 'The volume of the sample was too small for this test.'],
  ['collection_process_failure', 'The sample was not collected as this test requires.'],
  ['drop_off_failure', 'The sample arrived too late for this test.'],
  ['internal_lab_failure', 'The laboratory could not complete this test.'],
  ['patient_condition_failure', 'A substance in the sample interferes with this test.'],
  ['missing_result_calc_failure', 'This value is calculated from a result that is missing.'],
  ['unknown_failure', 'The laboratory gave no reason.'],
];

function missingResultOf(expected: ExpectedResult, random: Random): MissingResult {
  const [inferred_failure_type, note] = random.pick(failures);
  return { ...identityOf(expected), inferred_failure_type, note };
}
