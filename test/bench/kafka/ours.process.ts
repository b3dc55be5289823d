import { adapterConsume, adapterProduce } from './adapter.ts';
import { append } from './appending.ts';
import { answer } from './asked.ts';
import { idle, local, topics } from './into-streams.ts';
import { joinGroup, share } from './worker.ts';

/** Our code on top of kafkajs: the adapter alone, and the paths from a topic into durable streams. */
const works = { adapterConsume, adapterProduce, local, topics, joinGroup, share, append, idle };
export type OurWorks = typeof works;
answer(works);
