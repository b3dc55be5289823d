import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

export const bigQueryErrors = {
  'AORTA-BIGQUERY-CREDENTIALS': {
    class: 'setup',
    message: 'BigQuery could not authenticate this process: {reason}.',
    remedy:
      'Set `key_file` in `warehouse` or GOOGLE_APPLICATION_CREDENTIALS, or run on a machine with an attached service account. To use your own account, run `gcloud auth application-default login`.',
  },
  'AORTA-BIGQUERY-FORBIDDEN': {
    class: 'setup',
    message: 'BigQuery does not allow {step} on {of} (permission: {permission}).',
    remedy:
      'Check `project` and `dataset`. Give the account the roles BigQuery Data Editor on the dataset and BigQuery Job User on the project; docs/guides/bigquery.md lists every permission. Nothing was lost.',
  },
  'AORTA-BIGQUERY-PROJECT': {
    class: 'setup',
    message: 'The project in `warehouse` cannot be used: {reason}.',
    remedy: 'Check `project` in `warehouse`, and that the project has billing and the BigQuery API enabled.',
  },
  'AORTA-BIGQUERY-DATASET': {
    class: 'setup',
    message: 'The dataset {dataset} does not exist in project {project}, or the account is not allowed to see it.',
    remedy: 'Check both names. `aorta apply` creates the dataset if the account has the permission.',
  },
  'AORTA-BIGQUERY-LOCATION': {
    class: 'setup',
    message: 'The dataset {dataset} is in {found}, but `location` is {configured}.',
    remedy:
      'Set `location: {found}` in `warehouse`. A dataset cannot be moved: to use another location, configure a different dataset.',
  },
  'AORTA-BIGQUERY-TABLE': {
    class: 'setup',
    message: 'The table {table} does not match its declaration in this version: {problem}.',
    remedy:
      '`aorta plan` shows the differences, and `aorta apply` adds what is missing. If someone else created a table with this name, rename it or configure a different dataset. Nothing was changed.',
  },
  'AORTA-BIGQUERY-MISSING': {
    class: 'setup',
    message: 'BigQuery did not find {of}, which {step} needs.',
    remedy: '`aorta plan` shows what is missing, and `aorta apply` creates it. Landed batches wait until then.',
  },
  'AORTA-BIGQUERY-QUOTA': {
    class: 'transient',
    message: 'A BigQuery quota delayed {step} for {seconds} s: {reason}.',
    remedy:
      'Daily quotas reset at midnight Pacific time; pending data is kept. Check whether something else loads into this project, and that `workers` in `warehouse` is the number of processes that share the quotas of the project.',
  },
  'AORTA-BIGQUERY-UNAVAILABLE': {
    class: 'transient',
    message: 'BigQuery did not complete {step} within {seconds} s: {reason}.',
    remedy:
      'The process exits so that its supervisor restarts it. Nothing is lost or duplicated. If the error persists, check the network and status.cloud.google.com.',
  },
  'AORTA-BIGQUERY-FAILED': {
    class: 'setup',
    message: 'BigQuery refused {step}: {reason}.',
    remedy:
      'Nothing was lost: landed data is kept. Run `aorta doctor` to check the requirements; docs/guides/bigquery.md lists the reasons.',
  },
  'AORTA-BIGQUERY-REFUSED': {
    class: 'bug',
    message: 'BigQuery rejected the request for {step}: {reason}.',
    remedy: 'Please report this line. Nothing was lost: the data stays in the streams or in landed batches.',
  },
  'AORTA-BIGQUERY-BATCH-GONE': {
    class: 'bug',
    message: 'The landed batch {batch} is gone, although it was not merged.',
    remedy:
      'Find out who deleted it. Within the dataset’s time travel (by default seven days), you can restore it with `bq cp {dataset}.{batch}@-3600000 {dataset}.{batch}`. Here -3600000 means one hour ago, in milliseconds: choose a time when the batch still existed. If it cannot be restored, replay its records from the streams.',
  },
  'AORTA-BIGQUERY-CAP': {
    class: 'setup',
    message: 'The unspent part of `most_per_day` does not cover {step}.',
    remedy:
      'Merges wait for the next day (UTC), and landing continues. `aorta status --cost` shows today’s cost. If the cap is too low, raise `most_per_day`.',
  },
  'AORTA-BIGQUERY-UNMADE': {
    class: 'setup',
    message: '`aorta apply` could not create everything in the dataset {dataset}: {count} missing ({names}).',
    remedy:
      'The tables that were created are kept. The lines above explain each failure. Fix the causes and run `aorta apply` again.',
  },
  'AORTA-BIGQUERY-BATCH-ASIDE': {
    class: 'setup',
    message: 'BigQuery cannot merge the landed batch {batch} into {table}, even on its own: {reason}.',
    remedy:
      'Nothing is lost: the batch stays landed, and other batches are merged without it. Aorta retries it after an hour, then at increasing intervals; `aorta run --once` retries it at once. If it fails again, give the project more slots for a while, or report this line.',
  },
} as const satisfies ErrorCatalogue;

export const BigQueryError = errorsOf(bigQueryErrors);
