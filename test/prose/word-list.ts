/** A word that our texts avoid, and the word to use instead. The list follows the glossary in `docs/glossary.md`. */
export interface Unwanted {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** Phrases that make a reader stop. The patterns match anywhere in a sentence, and ignore case. */
export const unwantedWords: readonly Unwanted[] = [
  { pattern: /\banew\b|\bonce more\b/i, instead: 'again' },
  { pattern: /\b(?:is|are|was|were) (?:not )?to be\b/i, instead: 'the active voice: "the worker does …"' },
  { pattern: /\b(?:has|have|had) to be\b/i, instead: 'the active voice: "the worker must …"' },
  { pattern: /\bthings? that c[ao]me\b|\bwhat c[ao]mes?\b|\bwhat came\b/i, instead: 'delivery, record or event' },
  { pattern: /\bwhat (?:is|was|has been) (?:taken|handed over|told|said|written|put|kept|known|left)\b/i, instead: 'the noun' },
  { pattern: /\bwhere it (?:stands|stood)\b|\bwhere they (?:stand|stood)\b/i, instead: 'offset, position or state' },
  { pattern: /\b(?:is|are|was|were) taken up\b|\btakes? up again\b/i, instead: 'resume or replay' },
  { pattern: /\bknown again\b/i, instead: 'redelivery' },
  { pattern: /\bburied\b|\blost letters?\b/i, instead: 'dead letter, unrouted' },
  { pattern: /\blaid down\b|\blays? down\b/i, instead: 'land' },
  { pattern: /\b(?:bring|brings|brought|fold|folds|folded)\b(?: \w+)? (?:over|in|into)\b/i, instead: 'merge or upgrade' },
  { pattern: /\bstrangers?\b/i, instead: 'unknown fields' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'workaround or fix' },
  { pattern: /\bpurses?\b/i, instead: 'rate limit, budget or quota' },
  { pattern: /\bbooks\b/i, instead: 'control tables' },
  { pattern: /\bcrowd(?:s|ed)?\b/i, instead: 'backlog, backpressure or load' },
  { pattern: /\bwhose turn\b|\btakes? turns?\b|\bwhose share\b/i, instead: 'owner, assignment or lease' },
  { pattern: /\b(?:thereby|whereof|thereof|therein|wherein|whereas|hence|save that|be it|be they)\b/i, instead: 'a plain word' },
  { pattern: /\ball the same\b|\bas good as\b|\bso long as\b/i, instead: 'still, almost, while' },
  { pattern: /\bof which\b|\bof whom\b|\bby which\b|\bby whom\b/i, instead: 'a second sentence' },
];

/** Sentence openings that hide the actor or delay the main point. The patterns are matched at the start of a sentence. */
export const unwantedOpenings: readonly Unwanted[] = [
  {
    pattern:
      /^(?:nobody|somebody|someone|anybody|whoever|whatever|whichever|those (?:who|that)|who(?! (?:can|is|may|owns|reads|uses)\b.*\?))\b/i,
    instead: 'the actor: the worker, the operator',
  },
  {
    pattern: /^what (?!.*\?$)(?:\w+ )?(?:is|are|was|were|has|have|had|makes|a|an|the|it|they|one|this)\b(?!.*\?)/i,
    instead: 'the noun: "The record …"',
  },
  { pattern: /^nothing (?:of|in|that)\b/i, instead: 'the actor with "no" or "not"' },
  { pattern: /^of (?!course\b)/i, instead: 'the subject first' },
  {
    pattern: /^(?:to|from|in|on|by|with|behind|beside|beyond|under) (?:it|them|each|what|which|whom)\b/i,
    instead: 'the subject first',
  },
  { pattern: /^where\b(?! to\b)(?!.*\?)[^.]*,/i, instead: '"If" or "When", after the point' },
  {
    pattern: /^(?:nor|neither|not until|only then|never)\b (?:does|do|is|are|was|were|has|have|did|may|can)\b/i,
    instead: 'the subject first',
  },
  { pattern: /^so (?:long|far|much|many|often|it|they|that)\b/i, instead: 'the subject first' },
];
