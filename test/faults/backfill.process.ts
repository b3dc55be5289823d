import { backfill, readSetting } from 'aorta/internals';

/** Runs a backfill in its own process: `backfill.process.ts FOLDER REQUEST`, with the request as JSON. */
const [folder, request] = process.argv.slice(2);
const setting = readSetting({}, {}, folder!);
const { report, problems } = await backfill({ setting, ...JSON.parse(request!) });
process.stdout.write(JSON.stringify({ report, problems: problems.map(({ error }) => error.code) }));
