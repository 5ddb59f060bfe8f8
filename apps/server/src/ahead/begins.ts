import { availableParallelism, loadavg } from 'node:os'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'

/** Those who start a demonstration first want its images and runs, s since the start of the program. */
const EARLIEST_S = 240
/** Its archive may keep the machine busy for an hour: floods are not put off for longer than this, s. */
const LATEST_S = 900

export interface Machine {
  /** How long the program runs, s. */
  uptimeS(): number
  /** Processes that want to run, over the last minute. */
  load(): number
  cores(): number
}

const own: Machine = {
  uptimeS: () => process.uptime(),
  load: () => loadavg()[0],
  cores: availableParallelism,
}

/** Databases of programs in which somebody has looked at the forecast. */
const asked = new WeakSet<Kysely<Database>>()

/** Somebody looks at the forecast of floods in this program: its beginning is put off no longer. */
export function askToBegin(db: Kysely<Database>): void {
  asked.add(db)
}

/**
 * When the demonstration's own forecasts begin: not while a fresh one fills its archive and makes its first runs. One that
 * forecast before goes on at once, as one that somebody looks at; what a manager switched on does not wait.
 */
export class Begins {
  private readonly db: Kysely<Database>
  private readonly machine: Machine
  private begun = false

  constructor(db: Kysely<Database>, machine = own) {
    this.db = db
    this.machine = machine
  }

  /** Whether a catchment's next cycle is put off. */
  async waits(catchmentId: string): Promise<boolean> {
    this.begun ||= await this.mayBegin(catchmentId)
    return !this.begun
  }

  private async mayBegin(catchmentId: string): Promise<boolean> {
    const { uptimeS, load, cores } = this.machine
    if (asked.has(this.db) || uptimeS() >= LATEST_S || (await this.hasCycles(catchmentId))) return true
    return uptimeS() >= EARLIEST_S && load() <= cores() && !(await this.hasJobs())
  }

  private async hasCycles(catchmentId: string): Promise<boolean> {
    const found = await this.db
      .selectFrom('flood_cycle')
      .select('id')
      .where('catchment_id', '=', catchmentId)
      .limit(1)
      .executeTakeFirst()
    return found !== undefined
  }

  private async hasJobs(): Promise<boolean> {
    const found = await this.db
      .selectFrom('job')
      .select('id')
      .where('status', 'in', ['pending', 'running'])
      .limit(1)
      .executeTakeFirst()
    return found !== undefined
  }
}
