import { expect, test } from 'vitest';
import { readNote, writeNote } from './commit-note.ts';

test('a note keeps the first offset, and the last record with the id of its streams', () => {
  const notes = [{ first: 0 }, { first: 7, last: { offset: 41, streams: '00ff' } }];
  expect(notes.map(writeNote)).toEqual(['aorta first=0', 'aorta first=7 last=41 streams=00ff']);
  expect(notes.map((note) => readNote(writeNote(note)))).toEqual(notes);
});

test('a record of unknown streams is not noted', () => {
  expect(writeNote({ first: 7, last: { offset: 41, streams: undefined } })).toBe('aorta first=7');
});

test('a missing note and the notes of other programs say nothing', () => {
  const notes = [
    undefined,
    '',
    'aorta',
    'aorta first=',
    'aorta first=1 last=2',
    'aorta first=1 last=2 streams=',
    'x aorta first=1',
  ];
  expect(notes.map(readNote)).toEqual(notes.map(() => undefined));
});
