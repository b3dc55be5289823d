import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

export const fileErrors = {
  'AORTA-FILE-LEFT-OUT': {
    class: 'data',
    message: '{file} was skipped: {problem}.',
    remedy: 'The other files were read. Remove this file from the folder, or replace it with a regular file and load again.',
  },
  'AORTA-FILE-OWN': {
    class: 'data',
    message: '{file} was left out: it is {what}.',
    remedy: 'Nothing to do: this is not input. The other files were read.',
  },
  'AORTA-FILE-LINK': {
    class: 'data',
    message: '{file} was skipped: it is a link to {target}, which is outside of the folders to load.',
    remedy:
      'The other files were read. If the link is meant to be there, load with --follow-links, or set follow_links: true in the source. Otherwise remove the link.',
  },
  'AORTA-FILE-NAME': {
    class: 'usage',
    message: '{file} has bytes that are not UTF-8, which are shown as \ufffd, and {problem}.',
    remedy: 'Load the folder of the file instead, or pass its content with `aorta load - < FILE`.',
  },
  'AORTA-FILE-TEMPORARY': {
    class: 'setup',
    message: 'The temporary folder {folder} cannot hold a copy of {file} ({code}).',
    remedy:
      'Aorta loaded no part of it. Free space there, or set TMPDIR to a folder with more space. Or pass the name of a regular file, which needs no copy, in place of `-`.',
  },
  'AORTA-FILE-COMPRESSION': {
    class: 'data',
    message: '{file} is not a complete {compression} file: decompression failed {where}.',
    remedy: 'Everything before the damage was read. Fetch the file again and load it again; nothing is loaded twice.',
  },
  'AORTA-FILE-FORMAT': {
    class: 'data',
    message: '{file} is {format}, which Aorta does not read.',
    remedy: '{advice} Aorta reads events as JSON, a JSON array or NDJSON, plain or compressed with gzip or zstd.',
  },
  'AORTA-FILE-EMPTY': {
    class: 'data',
    message: '{file} is empty.',
    remedy: 'Nothing to do if that is expected. Otherwise fetch the file again and load it.',
  },
  'AORTA-FILE-INCOMPLETE': {
    class: 'data',
    message: '{file}:{line}: {problem}.',
    remedy:
      'The incomplete part was not loaded. Fetch the file again, or end its last line, and load it again. A program that writes into a folder that Aorta reads must write the file elsewhere, and rename it into the folder when it is complete.',
  },
  'AORTA-FILE-GROWN': {
    class: 'data',
    message: '{file} has grown since it was read up to line {line}, and was not read again.',
    remedy:
      'Files must be complete when they appear in the folder: write each file elsewhere, then rename it into the folder. To load only the added lines of NDJSON, run `{command}`.',
  },
  'AORTA-FILE-CHECKPOINTS-DAMAGED': {
    class: 'setup',
    message: '{file} is damaged. It says how much of each file the source has read. Nothing was changed.',
    remedy:
      'Restore {file} from a backup, or delete it: the source then reads all its files again. Reading an unchanged file again loses and duplicates no row. So first move away any files that have grown or were modified since.',
  },
  'AORTA-FILE-AHEAD': {
    class: 'data',
    message:
      '{file} was last modified {time}, more than 5 minutes ahead of the clock of this computer, so Aorta did not load it.',
    remedy:
      'Events cannot have been received in the future, and later events could not replace them. Set the modification time to the time of receipt, or load the file with --received-at TIME. `aorta run` reads the file as soon as its time is right.',
  },
  'AORTA-FILE-BEHIND': {
    class: 'data',
    message: '{file} was not loaded, because its events cannot have been received at {time} ({origin}): that is {problem}.',
    remedy:
      'Later events could not replace events with a wrong time of receipt. Load the file with --received-at TIME, or set its modification time to the time of receipt. `aorta run` reads the file as soon as its time is right.',
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
      '{file}:{line}: offset {offset} of source {source}, partition {partition}, is not greater than the previous one ({previous}).',
    remedy:
      'Offsets must increase within each partition of a delivery file. Sort the lines of each partition by offset, or split the file where offsets start over.',
  },
  'AORTA-FILE-TOO-LARGE': {
    class: 'data',
    message: '{file}:{line}: a line or JSON document of more than {limit} bytes was skipped.',
    remedy: 'Write the file as NDJSON, one event per line, or raise limits.document_bytes in the configuration.',
  },
  'AORTA-FILE-ENDLESS': {
    class: 'data',
    message: '{file}:{line}: this line decompresses to far more than {limit} bytes, so the rest of the file was not read.',
    remedy:
      'Everything before the line was read. Fetch the file again, or raise limits.document_bytes in the configuration. Then load the file again; nothing is loaded twice.',
  },
} as const satisfies ErrorCatalogue;

export const FileError = errorsOf(fileErrors);
