import { createRequire } from 'node:module';
import type { TokenSource } from '../client.ts';
import { KafkaError } from '../errors.ts';
import { lasting } from './tokens.ts';

/** The interface of AWS's package for Amazon MSK, `aws-msk-iam-sasl-signer-js`. */
interface Signer {
  generateAuthToken(options: { region: string }): Promise<SignedToken>;
  generateAuthTokenFromRole(options: { region: string; awsRoleArn: string; awsRoleSessionName: string }): Promise<SignedToken>;
}

interface SignedToken {
  readonly token: string;
  readonly expiryTime: number;
}

const require = createRequire(import.meta.url);
const SIGNER = 'aws-msk-iam-sasl-signer-js';

/**
 * Returns a source of tokens for AWS IAM. Each token is a request to the cluster, signed with the credentials of this process or
 * of a role. The signer package is optional, because it installs 75 packages of the AWS SDK (29 MB).
 */
export function awsTokens(
  { region, role }: { readonly region: string; readonly role?: string | undefined },
  load: () => Promise<Signer> = async () => require(SIGNER) as Signer,
): TokenSource {
  return lasting(async () => {
    const signer = await load().catch((error: NodeJS.ErrnoException) => {
      const isMissing = error.code === 'MODULE_NOT_FOUND';
      throw new KafkaError('AORTA-KAFKA-SIGNER', {
        signer: SIGNER,
        problem: isMissing ? 'is not installed' : 'cannot be loaded',
      });
    });
    try {
      const { token, expiryTime } =
        role === undefined
          ? await signer.generateAuthToken({ region })
          : await signer.generateAuthTokenFromRole({ region, awsRoleArn: role, awsRoleSessionName: 'aorta' });
      return { value: token, until: expiryTime };
    } catch (error) {
      // The message may contain parts of the signed request.
      throw new KafkaError('AORTA-KAFKA-TOKEN-FAILED', { host: `AWS in ${region}`, reason: (error as Error).name });
    }
  });
}
