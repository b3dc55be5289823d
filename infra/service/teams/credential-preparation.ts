import { oauthProviders } from '../connections/providers.ts';

/** Something to set at a provider before a team uses its own credential there. */
interface PreparationStep {
  readonly type: 'redirect_uri' | 'webhook_uri' | 'iam_principal';
  readonly key: null;
  readonly value: string;
  readonly description: string;
}

/** Providers that report new data by a webhook. */
const pushing: readonly string[] = [
  ...['oura', 'fitbit', 'garmin', 'strava', 'withings', 'polar', 'whoop_v2', 'wahoo', 'omron', 'ihealth'],
];

const PRINCIPAL = 'serviceAccount:health-data@reference-service.iam.gserviceaccount.com';

/** Returns what to set at a provider, or nothing for one without OAuth. `base` is the address of the service. */
export function preparationOf(provider: string, base: string): PreparationStep[] {
  if (!oauthProviders.includes(provider)) return [];
  const step = (type: PreparationStep['type'], value: string, description: string) => ({ type, key: null, value, description });
  return [
    step('redirect_uri', `${base}/oauth/${provider}/redirect`, 'Allow this redirect address in the OAuth application.'),
    ...(pushing.includes(provider)
      ? [step('webhook_uri', `${base}/webhook/${provider}`, 'Let the provider send its webhooks to this address.')]
      : []),
    ...(provider === 'google_health'
      ? [step('iam_principal', PRINCIPAL, 'Let this principal read the subscriptions of the project.')]
      : []),
  ];
}
