import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

export const fileErrors = {
  'AORTA-FILE-LEFT-OUT': {
    class: 'data',
    message: '{file} was left out: {problem}.',
    remedy: 'The other files were taken. Remove it from the folder, or put a file in its place and load again.',
  },
  'AORTA-FILE-COMPRESSION': {
    class: 'data',
    message: '{file} is not a whole gzip file: decompression failed {where}.',
    remedy: 'Everything before the damage was taken. Fetch the file again and load it again; nothing is doubled.',
  },
  'AORTA-FILE-EMPTY': {
    class: 'data',
    message: '{file} is empty.',
    remedy: 'Nothing to do if it should be. Otherwise fetch it again and load it again.',
  },
  'AORTA-FILE-ENTRY': {
    class: 'data',
    message: '{file}:{line}: {problem}.',
    remedy:
      'The line is kept as a dead letter. A delivery line is {"source": text, "partition": number or text, "offset": whole number, "received_at": RFC 3339, "headers": {…}, "body": any JSON} or has "body_base64" in place of "body".',
  },
  'AORTA-FILE-OFFSETS': {
    class: 'data',
    message:
      '{file}:{line}: offset {offset} of source {source}, partition {partition}, does not ascend (the line before had {previous}).',
    remedy:
      'Offsets ascend within a delivery file. Sort the lines of each partition by offset, or give each partition a file of its own.',
  },
  'AORTA-FILE-TOO-LARGE': {
    class: 'data',
    message: '{file}:{line}: a line or JSON document of more than {limit} bytes was left out.',
    remedy: 'Write the file as NDJSON, one event a line, or raise limits.document_bytes in the configuration.',
  },
  'AORTA-FILE-ENDLESS': {
    class: 'data',
    message: '{file}:{line}: this line inflates to far more than {limit} bytes; the file was not read further.',
    remedy:
      'Everything before the line was taken. Fetch the file again, or raise limits.document_bytes in the configuration, and load it again; nothing is doubled.',
  },
} as const satisfies ErrorCatalogue;

export const FileError = errorsOf(fileErrors);
