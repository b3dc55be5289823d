import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

export const webhookErrors = {
  'AORTA-WEBHOOK-LISTEN': {
    class: 'setup',
    message: 'The webhook endpoint cannot listen on {address} ({code}).',
    remedy: 'Set a different `listen` for the source, or stop the process that uses this address.',
  },
  'AORTA-WEBHOOK-SHARED': {
    class: 'setup',
    message: 'Two webhook sources share {address}, but differ in {what}.',
    remedy: 'Give sources on one address the same `tls` and `trust_proxy` and different paths, or use different ports.',
  },
  'AORTA-WEBHOOK-TLS': {
    class: 'setup',
    message: 'The certificate of the webhook endpoint on {address} cannot be used ({code}).',
    remedy: 'Check that `tls.cert_file` and `tls.key_file` are PEM files, and that the key belongs to the certificate.',
  },
  'AORTA-WEBHOOK-INTAKE-DAMAGED': {
    class: 'data',
    message: 'The intake log {file} was damaged: {lost}.',
    remedy:
      'All other messages were read. Resend the messages of that time from the service, which duplicates no row. Then delete {kept}: until then, /readyz is red, and `aorta run --once` ends with exit code 1.',
  },
} as const satisfies ErrorCatalogue;

export const WebhookError = errorsOf(webhookErrors);
