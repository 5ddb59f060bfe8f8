/** Opens the database of the data folder given, says `ready PID-OF-POSTMASTER`, and closes it when its input ends. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../db/database.ts'
import { createLogger } from '../log.ts'

const dataDir = process.argv[2]
const handle = await openDatabase({ dataDir, databaseUrl: null }, { log: createLogger('error', 2) })
const [pid] = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')
console.log(`ready ${pid}`)
process.stdin.resume().once('end', async () => {
  await handle.close()
  console.log('closed')
})
