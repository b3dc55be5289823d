import { freePorts } from '../../infra/machine/ports.ts';
import type { Block } from './documents.ts';

/** Default ports of local servers, which documents name. */
const DEFAULT_PORTS = ['5672', '5673', '8080', '8090', '8091'];

const named = new RegExp(`\\b(?:${DEFAULT_PORTS.join('|')})\\b`, 'g');

/** Replaces the default ports in a document's commands by free ones, so that documents run side by side. */
export interface Ports {
  /** Returns the block with free ports. */
  replaced(block: Block): Block;
  readonly environment: Readonly<Record<string, string>>;
}

/** Chooses the ports of a document. A document that runs nothing in the background keeps the ports that it names. */
export async function portsFor(blocks: readonly Block[]): Promise<Ports> {
  if (blocks.every(({ note }) => note !== 'background')) return { replaced: (block) => block, environment: {} };
  const ports = await freePorts(DEFAULT_PORTS.length);
  const free = new Map(DEFAULT_PORTS.map((port, index) => [port, String(ports[index])]));
  return {
    replaced: (block) => ({ ...block, text: block.text.replace(named, (port) => free.get(port)!) }),
    environment: { AORTA_SERVICE_CONTROL_URL: `http://127.0.0.1:${free.get('8091')}` },
  };
}
