import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

/** What can go wrong with BigQuery. */
export const bigQueryErrors = {
  'AORTA-BIGQUERY-CREDENTIALS': {
    class: 'setup',
    message: 'BigQuery does not know who asks: {reason}.',
    remedy:
      'Give `key_file` in `warehouse`, set GOOGLE_APPLICATION_CREDENTIALS, or run where a service account is attached; for a person, `gcloud auth application-default login`.',
  },
  'AORTA-BIGQUERY-FORBIDDEN': {
    class: 'setup',
    message: 'BigQuery does not allow {step} on {of} (permission: {permission}).',
    remedy:
      'Check `project` and `dataset`, and give the account the roles BigQuery Data Editor on the dataset and BigQuery Job User on the project; docs/guides/bigquery.md lists every permission. Nothing was lost.',
  },
  'AORTA-BIGQUERY-PROJECT': {
    class: 'setup',
    message: 'The project in `warehouse` cannot be used: {reason}.',
    remedy: 'Check `project` in `warehouse`, that the BigQuery API is enabled there, and that it has billing.',
  },
  'AORTA-BIGQUERY-DATASET': {
    class: 'setup',
    message: 'There is no dataset {dataset} in project {project} that this account may see.',
    remedy: 'Check both names; `aorta apply` makes the dataset, where the account may create one.',
  },
  'AORTA-BIGQUERY-LOCATION': {
    class: 'setup',
    message: 'The dataset {dataset} is in {found}, and `location` says {configured}.',
    remedy: 'Set `location: {found}` in `warehouse`. A dataset cannot be moved: for another place, name another dataset.',
  },
  'AORTA-BIGQUERY-TABLE': {
    class: 'setup',
    message: 'The table {table} is not as this version declares it: {problem}.',
    remedy:
      '`aorta plan` says what differs, `aorta apply` adds what is missing. What somebody else made under this name has to be renamed by hand, or Aorta given another dataset. Nothing was changed.',
  },
  'AORTA-BIGQUERY-MISSING': {
    class: 'setup',
    message: 'BigQuery did not find what {step} needs in {of}.',
    remedy: '`aorta plan` says what is missing, and `aorta apply` makes it. Landed batches wait meanwhile.',
  },
  'AORTA-BIGQUERY-QUOTA': {
    class: 'transient',
    message: 'A limit of BigQuery held up {step} for {seconds} s: {reason}.',
    remedy:
      'Quotas of a day come back at midnight, Pacific time; what waits is kept. Does something else load into this project? `workers` in `warehouse` has to be the number of processes that share its quotas.',
  },
  'AORTA-BIGQUERY-UNAVAILABLE': {
    class: 'transient',
    message: 'BigQuery did not do it within {seconds} s: {step} ({reason}).',
    remedy:
      'The process ends, to be started again; nothing is lost and nothing doubled. Where it stays so, look at the network and at status.cloud.google.com.',
  },
  'AORTA-BIGQUERY-FAILED': {
    class: 'setup',
    message: 'BigQuery refused {step}: {reason}.',
    remedy:
      'Nothing was lost: what is landed stays. `aorta doctor` looks at what is needed; docs/guides/bigquery.md lists the reasons.',
  },
  'AORTA-BIGQUERY-REFUSED': {
    class: 'bug',
    message: 'BigQuery did not accept what was sent for {step}: {reason}.',
    remedy: 'Please report it with this line. Nothing was lost: what was not accepted stays in the streams or in landed batches.',
  },
  'AORTA-BIGQUERY-BATCH-GONE': {
    class: 'bug',
    message: 'The landed batch {batch} is gone, and nothing says that it was merged.',
    remedy:
      'Who deleted it? BigQuery keeps a deleted table for seven days: copy it back with `bq cp {dataset}.{batch}@-3600000 {dataset}.{batch}`. Else replay its records from the streams.',
  },
  'AORTA-BIGQUERY-CAP': {
    class: 'setup',
    message: '{step} would cost more than is left of `most_per_day`.',
    remedy:
      'It waits for the next day (UTC), and landing goes on. `aorta status --cost` shows the day; raise `most_per_day` if it is too low.',
  },
  'AORTA-BIGQUERY-UNMADE': {
    class: 'setup',
    message: '`aorta apply` could not make all of the dataset {dataset}: {count} missing ({names}).',
    remedy: 'What was made stays. The lines above say why of each; mend that, and run `aorta apply` again.',
  },
  'AORTA-BIGQUERY-BATCH-ASIDE': {
    class: 'setup',
    message: 'BigQuery cannot merge the landed batch {batch} into {table}, even alone: {reason}.',
    remedy:
      'Nothing is lost: the batch stays landed, is tried again after an hour and then ever less often, and the other batches are merged without it. `aorta run --once` tries it at once. If it fails again, give the project more slots for a while, or report it with this line.',
  },
} as const satisfies ErrorCatalogue;

/** An error of {@link bigQueryErrors}. */
export const BigQueryError = errorsOf(bigQueryErrors);
