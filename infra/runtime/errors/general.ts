import type { ErrorCatalogue } from './catalogue.ts';

/** What can go wrong in every part: files and folders, the health port, and this program itself. */
export const generalErrors = {
  'AORTA-FILE-NOT-FOUND': {
    class: 'usage',
    message: 'There is no file or folder {file}.',
    remedy: 'Check the path.',
  },
  'AORTA-FILE-UNREADABLE': {
    class: 'setup',
    message: '{file} cannot be read ({code}).',
    remedy: 'Check the permissions of the file and of its folders.',
  },
  'AORTA-DATA-LOCKED': {
    class: 'setup',
    message: 'The data folder {folder} is in use by process {pid}.',
    remedy: 'Wait for that process or stop it. `aorta query` and `aorta status` work beside it.',
  },
  'AORTA-DATA-LOCKED-ELSEWHERE': {
    class: 'setup',
    message: 'The data folder {folder} is in use by process {pid} of host {host}.',
    remedy:
      'Wait for that process or stop it. If that machine or container is gone for good, delete {path} and start again; never while it runs.',
  },
  'AORTA-DATA-NEWER': {
    class: 'setup',
    message: '{path} was written by a newer version of Aorta (format {found}; this one reads {known}).',
    remedy: 'Use the newer version.',
  },
  'AORTA-DATA-UNWRITABLE': {
    class: 'setup',
    message: '{path} cannot be written ({code}).',
    remedy:
      'Check the free space and the permissions of the folder, then start again: nothing that was reported as loaded is lost.',
  },
  'AORTA-HEALTH-PORT': {
    class: 'setup',
    message: 'Health cannot be served at {host}:{port} ({code}).',
    remedy: 'Give another health.port in the configuration (0 takes a free one), or end the process that has it.',
  },
  'AORTA-BUG': {
    class: 'bug',
    message: 'Something happened in {place} that should not be possible ({problem}).',
    remedy: 'Please report it with this line. Data that was reported as loaded is safe.',
  },
} as const satisfies ErrorCatalogue;
