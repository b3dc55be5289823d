/** The ports of a broker. */
export interface BrokerPorts {
  readonly plain: number;
  readonly controller: number;
  /** Of SASL/PLAIN, where there are users. */
  readonly sasl?: number;
  /** Of SASL over TLS, where the broker has a certificate. */
  readonly secure?: number;
}

/** One of several brokers that are a cluster together. */
interface Membership {
  /** Its number in the cluster, from 1. */
  readonly node: number;
  /** Ports of the controllers of all members, in the order of their numbers. */
  readonly controllers: readonly number[];
}

/** Certificate chain and private key (PKCS#8) of a broker, and the authority that clients' certificates are checked against, all as PEM. */
interface BrokerCertificate {
  readonly chain: string;
  readonly key: string;
  readonly authority: string;
}

/** How a broker checks the tokens of OAUTHBEARER. */
export interface TokenCheck {
  /** Address of the keys that tokens are signed with (JWKS). */
  readonly keys: string;
  readonly issuer: string;
  readonly audience: string;
}

const LOOPBACK = '127.0.0.1';

export interface BrokerSettings {
  readonly ports: BrokerPorts;
  /** Where it listens, and what it tells clients as its host. Default for both: 127.0.0.1. */
  readonly listens?: string;
  readonly host?: string;
  /** Where the logs of its topics are. */
  readonly folder: string;
  /** Passwords of those who may log in with SASL/PLAIN, by name. */
  readonly users?: Readonly<Record<string, string>>;
  /** Default: it is all of its cluster. */
  readonly member?: Membership;
  /** Clients that use the port `secure` see this certificate. */
  readonly certificate?: BrokerCertificate;
  /** Where given, clients of the port `secure` may log in with OAUTHBEARER, too. */
  readonly tokens?: TokenCheck;
  /** Settings of the broker beside these, or in their place: `log.flush.interval.messages`, say. */
  readonly properties?: Readonly<Record<string, string>>;
}

/** What a broker is told: small, and quick to come back after it was killed. */
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
    // 128 MB of memory by default.
    'log.cleaner.dedupe.buffer.size': '4194304',
    'num.network.threads': '2',
    'num.io.threads': '2',
    'background.threads': '2',
    // The registration of a broker that was killed has to expire before it is back: after nine seconds by default.
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

/** As a file of properties has it: a backslash begins an escape, and what is not ASCII is one. */
function written(value: string): string {
  return value
    .replaceAll('\\', '\\\\')
    .replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Everything has as many copies as there are brokers, and is acknowledged when all of them but one have it. */
function replicated(nodes: number): Record<string, string> {
  const [copies, inSync] = [String(nodes), String(Math.max(1, nodes - 1))];
  return {
    'default.replication.factor': copies,
    'min.insync.replicas': inSync,
    'offsets.topic.replication.factor': copies,
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': inSync,
    // Several brokers start and work beside one another: on a busy machine a second's silence is no death.
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
