import { RADX_VERSION } from '@radx/contracts'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import type { Deps } from '../../http/app.ts'
import { storageForManagers } from '../storage.ts'
import { folderCounts, jobCounts, newestCycles, newestData } from './data.ts'

/** Values that cost a walk through tables are read no more often than this, however many ask. */
const KEPT_MS = 10_000

type Labels = Partial<Record<string, string>>
/** One reading of a gauge: what it is of, and how much. */
type Reading = [labels: Labels, value: number]

const GAUGES = {
  radx_build_info: ['Version of RadX; the value is always 1.', 'version'],
  radx_sockets: ['Browsers connected to this process by a socket.'],
  radx_database_connections: ['Connections of this process to the database.', 'state'],
  radx_newest_data_timestamp_seconds: [
    'Instant of the newest frame, reading, profile or forecast of each source.',
    'source',
  ],
  radx_newest_frame_delay_seconds: [
    'From the instant of the newest frame to the arrival of its file.',
    'source',
  ],
  radx_ingest_files: ['Files in the inbox and files put aside.', 'folder'],
  radx_jobs: ['Jobs by kind and state.', 'kind', 'status'],
  radx_job_oldest_wait_seconds: ['How long the job that has waited longest has waited; 0 when none waits.'],
  radx_flood_cycle_timestamp_seconds: [
    'Frame that the newest flood forecast of each catchment follows; absent before the first one.',
    'catchment',
  ],
  radx_flood_cycle_duration_seconds: ['How long the newest flood forecast took.', 'catchment'],
  radx_flood_cycles_failed: ['Flood forecasts on record that failed.', 'catchment'],
  radx_stored_bytes: ['Bytes of the database, of original files and of results.', 'what'],
  radx_stored_frames: ['Radar frames that are kept.'],
  radx_disk_bytes: ['Room of the disk that holds the data folder.', 'room'],
  radx_verification_timestamp_seconds: [
    'When everything stored was last read again; absent before the first time.',
  ],
  radx_verification_damaged: ['What the last reading found damaged and could not make again.'],
} as const satisfies Record<string, readonly [help: string, ...labels: string[]]>
type Name = keyof typeof GAUGES

/** Gauges of the data, set anew for each reading of the registry. */
export class DataGauges {
  private readonly deps: Deps
  private readonly registry: Registry
  private readonly gauges = new Map<Name, Gauge>()
  private kept: { untilMs: number; readings: Promise<Partial<Record<Name, Reading[]>>> } | null = null

  constructor(deps: Deps, registry: Registry) {
    this.deps = deps
    this.registry = registry
  }

  /** The registry as Prometheus reads it. @throws what the database throws */
  async text(): Promise<string> {
    // Not before somebody asks: they watch the process, which costs a little.
    if (this.gauges.size === 0) collectDefaultMetrics({ register: this.registry })
    const { pool } = this.deps.database
    this.set('radx_build_info', [[{ version: RADX_VERSION }, 1]])
    this.set('radx_sockets', [[{}, this.deps.status.sockets?.() ?? 0]])
    this.set('radx_database_connections', [
      [{ state: 'busy' }, pool.totalCount - pool.idleCount],
      [{ state: 'idle' }, pool.idleCount],
      [{ state: 'awaited' }, pool.waitingCount],
    ])
    for (const [name, readings] of Object.entries(await this.data())) this.set(name as Name, readings)
    return this.registry.metrics()
  }

  private set(name: Name, readings: readonly Reading[]): void {
    let gauge = this.gauges.get(name)
    if (!gauge) {
      const [help, ...labelNames]: readonly string[] = GAUGES[name]
      gauge = new Gauge({ name, help, labelNames, registers: [this.registry] })
      this.gauges.set(name, gauge)
    }
    // What has gone, as a kind of job of which none is left, is told no more.
    gauge.reset()
    for (const [labels, value] of readings) gauge.set(labels as Record<string, string>, value)
  }

  /** Readings from the database and folders; those who ask at once share them. */
  private data(): Promise<Partial<Record<Name, Reading[]>>> {
    const now = this.deps.clock.now()
    if (this.kept === null || now >= this.kept.untilMs) {
      const readings = this.read(new Date(now))
      this.kept = { untilMs: now + KEPT_MS, readings }
      readings.catch(() => {
        this.kept = null
      })
    }
    return this.kept.readings
  }

  private async read(now: Date): Promise<Partial<Record<Name, Reading[]>>> {
    const { db, config, status } = this.deps
    const verification = (await status.verification?.()) ?? null
    const [newest, { jobs, oldestWaitS }, cycles, files, stored] = await Promise.all([
      newestData(db),
      jobCounts(db, now),
      newestCycles(db),
      folderCounts(config.dataDir),
      storageForManagers(db, config.dataDir, verification),
    ])
    return {
      radx_newest_data_timestamp_seconds: newest.map(({ source, seconds }) => [{ source }, seconds]),
      radx_newest_frame_delay_seconds: newest.flatMap(({ source, delay }): Reading[] =>
        delay === null ? [] : [[{ source }, delay]],
      ),
      radx_ingest_files: [
        [{ folder: 'inbox' }, files.inbox],
        [{ folder: 'rejected' }, files.rejected],
      ],
      radx_jobs: jobs.map(({ kind, status, count }) => [{ kind, status }, count]),
      radx_job_oldest_wait_seconds: [[{}, oldestWaitS]],
      radx_flood_cycle_timestamp_seconds: cycles.flatMap(({ catchment, issued }): Reading[] =>
        issued === null ? [] : [[{ catchment }, issued]],
      ),
      radx_flood_cycle_duration_seconds: cycles.flatMap(({ catchment, seconds }): Reading[] =>
        seconds === null ? [] : [[{ catchment }, seconds]],
      ),
      radx_flood_cycles_failed: cycles.map(({ catchment, failed }) => [{ catchment }, failed]),
      radx_stored_bytes: [
        [{ what: 'database' }, stored.databaseBytes],
        [{ what: 'originals' }, stored.originals.bytes],
        [{ what: 'results' }, stored.resultBytes],
      ],
      radx_stored_frames: [[{}, stored.frames]],
      radx_disk_bytes:
        stored.disk === null
          ? []
          : [
              [{ room: 'free' }, stored.disk.freeBytes],
              [{ room: 'total' }, stored.disk.totalBytes],
            ],
      radx_verification_timestamp_seconds:
        verification === null ? [] : [[{}, Date.parse(verification.at) / 1000]],
      radx_verification_damaged: verification === null ? [] : [[{}, verification.damaged]],
    }
  }
}
