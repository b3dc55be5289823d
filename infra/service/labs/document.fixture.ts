import fc from 'fast-check';
import type { LaboratoryFacts, PatientFacts, PhysicianFacts } from './document-head.ts';

const laboratory: LaboratoryFacts = {
  name: 'Northgate Laboratories',
  addressLines: ['2100 Harbor Parkway', 'Suite 400', 'Portland, OR 97201'],
  accountNumber: 'NL-20817',
};

const patient: PatientFacts = {
  firstName: 'Zoë',
  lastName: 'Núñez',
  dateOfBirth: '1980-03-14',
  sex: 'Female',
  phone: '+15035550142',
  email: 'zoe@example.com',
  addressLines: ['12 Alder Street', 'Apartment 5B', 'Portland, OR 97209'],
};

const physician: PhysicianFacts = { name: 'Maria Okafor', npi: '1234567893' };

/** The facts that a requisition and a report share. */
export const shared = { orderId: 'order-1', sampleId: 'AR48', laboratory, patient, physician, isSample: true };

const alphabets = ['abcdefgABCDEFG', 'żółćąęšžőű', 'αβγδεΩΛ', 'бгджзЖЮЯ', 'ảạấầẩẫậ', '0123456789', 'WWWWMMMM'];

/** A word of one alphabet, short enough for each column. */
const word = fc
  .constantFrom(...alphabets)
  .chain((letters) => fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 5 }));

const awkward = fc.constantFrom(
  '😀',
  'محمد',
  '王小明',
  'W'.repeat(90),
  'a\u0301\u0302'.repeat(30),
  '\u0000\n\t',
  '\ud800',
  'आदित्य',
  '-'.repeat(60),
);

/** Text of words and of what fonts and columns do not expect. */
export const longText = fc
  .array(fc.oneof({ weight: 6, arbitrary: word }, { weight: 1, arbitrary: awkward }), { minLength: 1, maxLength: 40 })
  .map((words) => words.join(' '));

const lines = fc.array(longText, { maxLength: 3 });
const maybe = fc.option(longText);

export const anyShared = fc.record({
  orderId: longText,
  sampleId: fc.oneof(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 60 }), longText),
  laboratory: fc.record({ name: longText, addressLines: lines, accountNumber: maybe }),
  patient: fc.record({
    firstName: longText,
    lastName: longText,
    dateOfBirth: maybe,
    sex: maybe,
    phone: maybe,
    email: maybe,
    addressLines: lines,
  }),
  physician: fc.option(fc.record({ name: longText, npi: maybe })),
  isSample: fc.boolean(),
});

/** Returns the words of the texts that the fonts have in full, so that they are on the page as they are. */
export const plainWords = (texts: readonly (string | null)[]): string[] =>
  texts.flatMap((text) => (text ?? '').split(/\s+/)).filter((each) => alphabets.some((letters) => isOf(letters, each)));

const isOf = (letters: string, each: string): boolean =>
  each !== '' && each.length <= 5 && Array.from(each).every((letter) => letters.includes(letter));
