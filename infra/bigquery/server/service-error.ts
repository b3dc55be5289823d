/** The HTTP status of each error reason that BigQuery documents. */
const STATUS: Readonly<Record<string, number>> = {
  accessDenied: 403,
  backendError: 503,
  billingNotEnabled: 403,
  blocked: 403,
  bytesBilledLimitExceeded: 400,
  conditionNotMet: 412,
  duplicate: 409,
  internalError: 500,
  invalid: 400,
  invalidQuery: 400,
  jobBackendError: 400,
  jobInternalError: 400,
  jobRateLimitExceeded: 400,
  notFound: 404,
  notImplemented: 501,
  quotaExceeded: 403,
  rateLimitExceeded: 403,
  resourceInUse: 400,
  resourcesExceeded: 400,
  responseTooLarge: 403,
  stopped: 200,
  timeout: 400,
};

/** An error in the format of a job's `errorResult`. */
export interface ErrorProto {
  readonly reason: string;
  readonly message: string;
  readonly location?: string;
}

/** An error that the service returns to the client. */
export class ServiceError extends Error {
  readonly reason: string;
  readonly status: number;

  constructor(reason: string, message: string, status = STATUS[reason] ?? 400) {
    super(message);
    this.name = 'ServiceError';
    this.reason = reason;
    this.status = status;
  }

  get proto(): ErrorProto {
    return { reason: this.reason, message: this.message };
  }

  /** The body of the response. */
  get body(): object {
    const { status: code, reason, message } = this;
    return { error: { code, message, errors: [{ message, domain: 'global', reason }], status: reason } };
  }
}

export const notFound = (what: string): ServiceError => new ServiceError('notFound', `Not found: ${what}`);
export const duplicate = (what: string): ServiceError => new ServiceError('duplicate', `Already Exists: ${what}`);
export const invalid = (message: string): ServiceError => new ServiceError('invalid', message);
