/** The ports of a broker. */
export interface BrokerPorts {
  readonly plain: number;
  readonly controller: number;
  /** Of SASL/PLAIN, where there are users. */
  readonly sasl?: number;
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
  /** Settings of the broker beside these, or in their place: `log.flush.interval.messages`, say. */
  readonly properties?: Readonly<Record<string, string>>;
}

/** What one broker that is all of its cluster is told: small, and quick to come back after it was killed. */
export function brokerProperties({ ports, folder, users = {}, properties = {}, ...where }: BrokerSettings): string {
  const { listens = LOOPBACK, host = LOOPBACK } = where;
  const { plain, controller, sasl } = ports;
  const at = (name: string): string =>
    [`PLAINTEXT://${name}:${plain}`, ...(sasl === undefined ? [] : [`SASL_PLAINTEXT://${name}:${sasl}`])].join(',');
  const all: Record<string, string> = {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@${LOOPBACK}:${controller}`,
    listeners: `${at(listens)},CONTROLLER://${LOOPBACK}:${controller}`,
    'advertised.listeners': at(host),
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT',
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
    ...(sasl === undefined ? {} : login(users)),
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

function login(users: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(users).map(([name, password]) => `user_${name}="${password.replace(/["\\]/g, '\\$&')}"`);
  return {
    'sasl.enabled.mechanisms': 'PLAIN',
    'listener.name.sasl_plaintext.plain.sasl.jaas.config': `org.apache.kafka.common.security.plain.PlainLoginModule required ${named.join(' ')};`,
  };
}
