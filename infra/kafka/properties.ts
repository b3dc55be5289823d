export interface BrokerPorts {
  readonly plain: number;
  readonly controller: number;
  /** The port for SASL/PLAIN, if there are users. */
  readonly sasl?: number;
  /** The port for SASL over TLS, if the broker has a certificate. */
  readonly secure?: number;
}

/** A broker's membership in a cluster of several brokers. */
interface Membership {
  /** The broker's node id. The node ids in a cluster start at 1. */
  readonly node: number;
  /** The controller ports of all members, sorted by node id. */
  readonly controllers: readonly number[];
}

/**
 * A broker's certificate chain and private key (PKCS#8), and the certificate of the authority that signs client
 * certificates. All are in PEM format.
 */
interface BrokerCertificate {
  readonly chain: string;
  readonly key: string;
  readonly authority: string;
}

export interface TokenCheck {
  /** The JWKS URL, which provides the keys for verifying tokens. */
  readonly keys: string;
  readonly issuer: string;
  readonly audience: string;
}

const LOOPBACK = '127.0.0.1';

export interface BrokerSettings {
  readonly ports: BrokerPorts;
  /** The address that the broker listens on. `host` is the host that it advertises to clients. Both default to 127.0.0.1. */
  readonly listens?: string;
  readonly host?: string;
  /** The folder with the topics' logs. */
  readonly folder: string;
  /** Passwords for SASL/PLAIN, by user name. */
  readonly users?: Readonly<Record<string, string>>;
  /** Default: the broker is the only one in its cluster. */
  readonly member?: Membership;
  /** The certificate for the `secure` port. */
  readonly certificate?: BrokerCertificate;
  /** If this is set, clients on the `secure` port can also log in with OAUTHBEARER. */
  readonly tokens?: TokenCheck;
  /** Additional broker properties, such as `log.flush.interval.messages`. They override the default properties. */
  readonly properties?: Readonly<Record<string, string>>;
}

/** Returns the content of the properties file for a broker that is small and restarts quickly after a kill. */
export function brokerProperties({ ports, folder, users = {}, properties = {}, ...where }: BrokerSettings): string {
  const { listens = LOOPBACK, host = LOOPBACK, certificate, tokens } = where;
  const { plain, controller, sasl, secure } = ports;
  const { node, controllers } = where.member ?? { node: 1, controllers: [controller] };
  const at = (name: string): string =>
    [
      `PLAINTEXT://${name}:${plain}`,
      ...(sasl === undefined ? [] : [`SASL_PLAINTEXT://${name}:${sasl}`]),
      ...(secure === undefined ? [] : [`SASL_SSL://${name}:${secure}`]),
    ].join(',');
  const all: Record<string, string> = {
    'process.roles': 'broker,controller',
    'node.id': String(node),
    'controller.quorum.voters': controllers.map((port, index) => `${index + 1}@${LOOPBACK}:${port}`).join(','),
    listeners: `${at(listens)},CONTROLLER://${LOOPBACK}:${controller}`,
    'advertised.listeners': at(host),
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL',
    'log.dirs': folder,
    'auto.create.topics.enable': 'false',
    'offsets.topic.replication.factor': '1',
    'offsets.topic.num.partitions': '1',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'transaction.state.log.num.partitions': '1',
    'share.coordinator.state.topic.replication.factor': '1',
    'share.coordinator.state.topic.min.isr': '1',
    'group.initial.rebalance.delay.ms': '0',
    'group.min.session.timeout.ms': '1000',
    // Kafka's default is 128 MB.
    'log.cleaner.dedupe.buffer.size': '4194304',
    'num.network.threads': '2',
    'num.io.threads': '2',
    'background.threads': '2',
    // A killed broker cannot rejoin before its registration expires, which takes nine seconds by default.
    'broker.session.timeout.ms': '1500',
    'broker.heartbeat.interval.ms': '300',
    ...(controllers.length === 1 ? {} : replicated(controllers.length)),
    ...(sasl === undefined ? {} : login('sasl_plaintext', users)),
    ...(secure === undefined ? {} : login('sasl_ssl', users)),
    ...(certificate === undefined ? {} : shown(certificate)),
    ...(tokens === undefined ? {} : checked(tokens)),
    ...properties,
  };
  return Object.entries(all)
    .map(([name, value]) => `${name}=${written(value)}\n`)
    .join('');
}

/** Escapes a value for a properties file: doubles backslashes, and writes characters outside printable ASCII as `\uXXXX`. */
function written(value: string): string {
  return value
    .replaceAll('\\', '\\\\')
    .replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Returns properties that give every topic one replica per broker, and require all replicas but one to be in sync. */
function replicated(nodes: number): Record<string, string> {
  const [copies, inSync] = [String(nodes), String(Math.max(1, nodes - 1))];
  return {
    'default.replication.factor': copies,
    'min.insync.replicas': inSync,
    'offsets.topic.replication.factor': copies,
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': inSync,
    // On a busy machine with several brokers, a broker may miss heartbeats for a second without having failed.
    'broker.session.timeout.ms': '4000',
    'broker.heartbeat.interval.ms': '500',
  };
}

function login(listener: 'sasl_plaintext' | 'sasl_ssl', users: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(users).map(([name, password]) => `user_${name}="${password.replace(/["\\]/g, '\\$&')}"`);
  return {
    'sasl.enabled.mechanisms': 'PLAIN',
    [`listener.name.${listener}.plain.sasl.jaas.config`]: `org.apache.kafka.common.security.plain.PlainLoginModule required ${named.join(' ')};`,
  };
}

function shown({ chain, key, authority }: BrokerCertificate): Record<string, string> {
  return {
    'listener.name.sasl_ssl.ssl.keystore.type': 'PEM',
    'listener.name.sasl_ssl.ssl.keystore.certificate.chain': chain,
    'listener.name.sasl_ssl.ssl.keystore.key': key,
    'listener.name.sasl_ssl.ssl.truststore.type': 'PEM',
    'listener.name.sasl_ssl.ssl.truststore.certificates': authority,
  };
}

function checked({ keys, issuer, audience }: TokenCheck): Record<string, string> {
  const listener = 'listener.name.sasl_ssl.oauthbearer';
  const kafka = 'org.apache.kafka.common.security.oauthbearer';
  return {
    'sasl.enabled.mechanisms': 'PLAIN,OAUTHBEARER',
    [`${listener}.sasl.jaas.config`]: `${kafka}.OAuthBearerLoginModule required;`,
    [`${listener}.sasl.server.callback.handler.class`]: `${kafka}.OAuthBearerValidatorCallbackHandler`,
    [`${listener}.sasl.oauthbearer.jwks.endpoint.url`]: keys,
    [`${listener}.sasl.oauthbearer.expected.issuer`]: issuer,
    [`${listener}.sasl.oauthbearer.expected.audience`]: audience,
  };
}
