import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A certificate with its private key. If it belongs to a certificate authority, it can sign other certificates. */
export interface Certificate {
  /** The certificate in PEM format, without intermediate certificates. */
  readonly chain: string;
  readonly key: string;
  /** Returns the private key, encrypted with a passphrase. */
  encryptedKey(passphrase: string): string;
  sign(subject: Subject): Certificate;
}

interface Subject {
  /** Common name. */
  readonly name: string;
  /** IPv4 addresses that the certificate is valid for. */
  readonly addresses?: readonly string[];
}

const DAY_MS = 86_400_000;

/**
 * Creates a certificate authority for tests. Its certificate has been valid since yesterday and expires in 30 days. The
 * key is never written to disk.
 */
export function newAuthority(name: string): Certificate {
  return issued({ name }, undefined);
}

function issued(subject: Subject, issuer: { readonly name: string; readonly key: KeyObject } | undefined): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const { name, key } = issuer ?? { name: subject.name, key: privateKey };
  const now = Date.now();
  const facts = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    distinguished(name),
    sequence(utcTime(now - DAY_MS), utcTime(now + 30 * DAY_MS)),
    distinguished(subject.name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(issuer === undefined ? ANY_AUTHORITY : goodFor(subject.addresses ?? []))),
  );
  const signature = tagged(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', facts, key)]));
  const base64 = sequence(facts, ECDSA_WITH_SHA256, signature).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    chain: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    encryptedKey: (passphrase) =>
      privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase }).toString(),
    sign: (other) => issued(other, { name: subject.name, key: privateKey }),
  };
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const lengths = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...lengths]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));
const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes);
const identifier = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
const octets = (content: Buffer): Buffer => tagged(0x04, content);
const utcTime = (at: number): Buffer =>
  tagged(0x17, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replace(/\D/g, '')}Z`));
/** Encodes a distinguished name that consists only of a common name, which is encoded in UTF-8. */
const distinguished = (name: string): Buffer =>
  sequence(tagged(0x31, sequence(identifier('550403'), tagged(0x0c, Buffer.from(name)))));

const ECDSA_WITH_SHA256 = sequence(identifier('2a8648ce3d040302'));
/** X.509 extension: critical basic constraints of a certificate authority. */
const ANY_AUTHORITY = sequence(
  identifier('551d13'),
  tagged(0x01, Buffer.from([0xff])),
  octets(sequence(tagged(0x01, Buffer.from([0xff])))),
);
/** X.509 extension: subject alternative names, with the given IP addresses and `localhost`. */
const goodFor = (addresses: readonly string[]): Buffer =>
  sequence(
    identifier('551d11'),
    octets(
      sequence(
        ...addresses.map((address) => tagged(0x87, Buffer.from(address.split('.').map(Number)))),
        tagged(0x82, Buffer.from('localhost')),
      ),
    ),
  );
