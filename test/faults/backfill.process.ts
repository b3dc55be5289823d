import { backfill, readSetting } from 'aorta/internals';

/** One life of a backfill in a process of its own: `backfill.process.ts FOLDER QUESTION`, the question as JSON. */
const [folder, question] = process.argv.slice(2);
const setting = readSetting({}, {}, folder!);
const { report, problems } = await backfill({ setting, ...JSON.parse(question!) });
process.stdout.write(JSON.stringify({ report, problems: problems.map(({ error }) => error.code) }));
