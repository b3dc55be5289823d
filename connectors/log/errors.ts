import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

/** Errors about the files of local streams. */
export const segmentErrors = {
  'AORTA-SEGMENT-TORN': {
    class: 'data',
    message:
      'The segment {file} ended in an incomplete block: {bytes} bytes were cut, and the stream now ends at position {record}.',
    remedy: 'No action is needed: the block was never reported as durable, and the source delivers its records again.',
  },
  'AORTA-SEGMENT-CORRUPT': {
    class: 'setup',
    message: 'The segment {file} is damaged: the records from position {record} on cannot be read.',
    remedy:
      'The next run that reads these records keeps the damaged file, reads all other records, and says what is lost. If the tables already contain these records, no run reads them again. In that case, stop Aorta, and run `aorta doctor --deep --repair` or put a sound copy of the segment in its place.',
  },
  'AORTA-SEGMENT-LOST': {
    class: 'setup',
    message:
      'The segment {file} was damaged or missing: the records at positions {first} to {last} are lost. All other records are read. {aside} is the damaged file, or empty if there was none.',
    remedy:
      'Read the source again from {since} (see "A corrupt segment" in docs/runbook.md), or put a sound copy of the segment in its place while Aorta is stopped. Then delete {aside}.',
  },
  'AORTA-STREAM-REPAIRED': {
    class: 'data',
    message: 'The file {file} was damaged in a place that holds no record, and was repaired. No record is lost.',
    remedy: 'No action is needed for Aorta. Check the disk.',
  },
  'AORTA-ENDS-UNKNOWN': {
    class: 'data',
    message: 'The file {file} with the ends of the streams was missing or damaged, and was written again from the segments.',
    remedy:
      'Check the disk. If a stream also lost whole blocks at its end, Aorta cannot detect that, so compare the stream with the source.',
  },
  'AORTA-FORMAT-DAMAGED': {
    class: 'setup',
    message: '{file} is damaged. It says which versions of Aorta can read the streams. Nothing was changed.',
    remedy:
      'If a newer version of Aorta has used this folder, continue with that version. Delete {file}, and start again: the streams stay as they are, and Aorta writes the file again.',
  },
  'AORTA-INCARNATION-DAMAGED': {
    class: 'setup',
    message: '{file} is damaged. It identifies the records of its stream. The records themselves are not affected.',
    remedy:
      'Delete {file}, and start again: the records get a new identity, and are read again from the first one. No row is lost or duplicated.',
  },
  'AORTA-POSITION-DAMAGED': {
    class: 'setup',
    message: '{file} is damaged. It shows how far the group {group} has read the stream.',
    remedy:
      'Delete {file}, and start again. No row is lost or duplicated: tables and jobs keep their own positions. `aorta streams` shows the group again after its next commit.',
  },
  'AORTA-STREAMS-MISSING': {
    class: 'usage',
    message: 'There are no streams at {folder} yet.',
    remedy: 'Load data first (`aorta load FILE…`), or pass the location of the data with --warehouse, --data or --config.',
  },
} as const satisfies ErrorCatalogue;

export const SegmentError = errorsOf(segmentErrors);
