import type { ErrorCatalogue } from './catalogue.ts';

/** Errors that any part of the program can throw. */
export const generalErrors = {
  'AORTA-FILE-NOT-FOUND': {
    class: 'usage',
    message: 'The file or folder {file} does not exist.',
    remedy: 'Check the path.',
  },
  'AORTA-FILE-UNREADABLE': {
    class: 'setup',
    message: '{file} cannot be read ({code}).',
    remedy: 'Correct the path, or give this user the permission to read the file and its folders.',
  },
  'AORTA-DATA-LOCKED': {
    class: 'setup',
    message: 'The data folder {folder} is in use by process {pid}.',
    remedy: 'Wait for that process to finish, or stop it. `aorta query` and `aorta status` work while it runs.',
  },
  'AORTA-DATA-LOCKED-ELSEWHERE': {
    class: 'setup',
    message: 'The data folder {folder} is in use by process {pid} on host {host}.',
    remedy:
      'Wait for that process to finish, or stop it. If its machine or container no longer exists, delete {path} and start again. Never delete the file while that process is running.',
  },
  'AORTA-DATA-NEWER': {
    class: 'setup',
    message: '{path} was written by a newer version of Aorta (format {found}; this version reads format {known}).',
    remedy: 'Use the newer version.',
  },
  'AORTA-STATE-DAMAGED': {
    class: 'data',
    message: '{file} was damaged, and counts as missing: {consequence}.',
    remedy: 'No action is needed for the data. Check the disk. The damaged file is now {kept}: delete it afterwards.',
  },
  'AORTA-DATA-UNWRITABLE': {
    class: 'setup',
    message: '{path} cannot be written ({code}).',
    remedy:
      'Free space, correct the path, or give this user the permission to write there. Then start again. Data that was reported as loaded is safe.',
  },
  'AORTA-HEALTH-PORT': {
    class: 'setup',
    message: 'The health server cannot listen on {host}:{port} ({code}).',
    remedy: 'Set a different health.port in the configuration (0 picks a free port), or stop the process that uses this port.',
  },
  'AORTA-BUG': {
    class: 'bug',
    message: 'Something happened in {place} that should not be possible ({problem}).',
    remedy: 'Please report it with this line. Data that was reported as loaded is safe.',
  },
} as const satisfies ErrorCatalogue;
