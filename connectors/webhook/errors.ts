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
    message: 'The intake log {file} is damaged: {bytes} bytes after byte {byte} cannot be read.',
    remedy:
      'The messages before and after the damage were read. Messages in the damaged part are lost here: resend them from the service, from the time of the damage on.',
  },
} as const satisfies ErrorCatalogue;

export const WebhookError = errorsOf(webhookErrors);
