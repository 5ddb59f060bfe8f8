/** A worker as a process of its own, for tests that kill it. Arguments: database address, data folder. */
import { loadConfig } from '../../config/config.ts'
import { openDatabase } from '../../db/database.ts'
import { createLogger } from '../../log.ts'
import { createQueues, startBoss } from '../queue.ts'
import { JobWorker } from '../worker.ts'
import { jobKinds } from './kinds.ts'

const [databaseUrl, dataDir] = process.argv.slice(2)
const config = { ...loadConfig({}), databaseUrl, dataDir, workers: 1 }
const log = createLogger('silent')
const handle = await openDatabase(config, { log })
const boss = await startBoss(handle, log)
await createQueues(boss, jobKinds)
const kindsModule = new URL('./kinds.ts', import.meta.url).href
await new JobWorker({ config, handle, boss, kinds: jobKinds, kindsModule, log }).start()
console.log('ready')
