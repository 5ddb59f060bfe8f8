import { Worker } from 'node:worker_threads'
import { FormatError } from '@radx/contracts/errors'
import type { RadarVolume } from '@radx/contracts/radar-volume'
import { assertFileSize } from '../limits.ts'
import type { MrrProFile, MrrProOptions, MrrProVariable } from '../mrrpro/mrrpro.ts'
import type { NetcdfRain } from '../netcdf/rain-grids.ts'
import type { OdimImage, OdimOptions } from '../odim/odim.ts'
import { FORMAT_OF, type Hdf5Answer, type Hdf5Jobs, type Hdf5Part, type Hdf5Request } from './protocol.ts'

export interface Hdf5Limits {
  /** A file that takes longer is given up: time of the thread's own processor, so that neighbours do not count. @default 15000 */
  timeoutMs?: number
  /** Room for the HDF5 library, and again for the values read. @default 768 */
  maxMemoryMb?: number
}

interface Job {
  request: Hdf5Request
  onPart: (part: MrrProVariable) => void
  resolve: (result: never) => void
  reject: (error: Error) => void
}

/** A thread that gets no processor is waited for so many times as long. */
const MOST_WAITS = 20
const LEAST_WAIT_MS = 50

/**
 * Reads HDF5 files one after another in a thread of its own, which is ended, and started anew for the next
 * file, when a file takes too long, too much memory, or brings the library into disorder. An idle thread
 * does not keep the process alive.
 */
export class Hdf5Reader {
  private readonly timeoutMs: number
  private readonly maxMemoryMb: number
  private worker: Worker | undefined
  private queue: Job[] = []
  private current: Job | undefined
  private timer: NodeJS.Timeout | undefined
  private closed = false
  /** Whether the thread has loaded the library; the time of a file counts from then on. */
  private ready = false

  constructor({ timeoutMs = 15_000, maxMemoryMb = 768 }: Hdf5Limits = {}) {
    this.timeoutMs = timeoutMs
    this.maxMemoryMb = maxMemoryMb
  }

  /** @throws FormatError `odim.*`, with `odim.timeout` and `odim.memory` for files beyond the limits */
  readOdim(bytes: Uint8Array, options: OdimOptions = {}): Promise<OdimImage> {
    return this.read('odim', bytes, options, () => {})
  }

  /** @throws FormatError `netcdf.*`, or `odim.*` as `readOdim` */
  readNetcdfRain(bytes: Uint8Array): Promise<NetcdfRain> {
    return this.read('netcdf', bytes, {}, () => {})
  }

  /** @throws FormatError `odim.*`, as `readOdim` */
  readVolume(bytes: Uint8Array): Promise<RadarVolume> {
    return this.read('volume', bytes, {}, () => {})
  }

  /** @throws FormatError `mrrpro.*`, with `mrrpro.timeout` and `mrrpro.memory` for files beyond the limits */
  async readMrrPro(
    bytes: Uint8Array,
    options: MrrProOptions = {},
    onVariable: (variable: MrrProVariable) => void = () => {},
  ): Promise<MrrProFile> {
    const variables: Partial<MrrProFile['variables']> = {}
    const file = await this.read('mrrpro', bytes, options, (variable) => {
      variables[variable.name] = variable.values
      onVariable(variable)
    })
    // The reader refuses files without LWC.
    return { ...file, variables: variables as MrrProFile['variables'] }
  }

  /** Ends the thread; files still waiting are refused. */
  async close(): Promise<void> {
    this.closed = true
    const waiting = [...(this.current ? [this.current] : []), ...this.queue]
    this.queue = []
    const worker = this.release()
    for (const job of waiting) job.reject(new Error('the HDF5 reader was closed'))
    await worker?.terminate()
  }

  private read<K extends keyof Hdf5Jobs>(
    name: K,
    bytes: Uint8Array,
    options: Hdf5Jobs[K]['options'],
    onPart: Job['onPart'],
  ): Promise<Hdf5Jobs[K]['result']> {
    return new Promise((resolve, reject) => {
      assertFileSize(FORMAT_OF[name], bytes.length)
      if (this.closed) throw new Error('the HDF5 reader was closed')
      this.queue.push({ request: { job: name, bytes, options } as Hdf5Request, onPart, resolve, reject })
      this.next()
    })
  }

  private next(): void {
    if (this.current || this.queue.length === 0) return
    const job = this.queue.shift()!
    this.current = job
    this.worker ??= this.start()
    this.worker.ref()
    if (this.ready) this.watch(job)
    // A copy of just these bytes: a view into a larger buffer would be sent whole.
    const bytes = new Uint8Array(job.request.bytes)
    this.worker.postMessage({ ...job.request, bytes }, [bytes.buffer])
  }

  /** Gives the job up when it takes too long. */
  private watch(job: Job): void {
    const worker = this.worker!
    const begunMs = performance.now()
    const used = () => worker.cpuUsage().then(({ user, system }) => (user + system) / 1000)
    // A thread that ends meanwhile tells by itself.
    const before = used().catch(() => 0)
    const look = async (): Promise<void> => {
      const spentMs = await Promise.all([used(), before]).then(([now, then]) => now - then)
      if (job !== this.current || worker !== this.worker) return
      const leftMs = Math.min(
        this.timeoutMs - spentMs,
        MOST_WAITS * this.timeoutMs - (performance.now() - begunMs),
      )
      if (leftMs > 0) wait(Math.max(LEAST_WAIT_MS, leftMs))
      else this.giveUp(job)
    }
    const wait = (ms: number): void => {
      this.timer = setTimeout(() => void look().catch(() => undefined), ms)
    }
    wait(this.timeoutMs)
  }

  private giveUp(job: Job): void {
    this.end(
      job,
      new FormatError(
        `${FORMAT_OF[job.request.job]}.timeout`,
        `La lecture du fichier HDF5 a dépassé ${String(this.timeoutMs / 1000).replace('.', ',')} s et a été arrêtée, il est sans doute abîmé. Copiez-le de nouveau depuis sa source.`,
        { details: { timeoutMs: this.timeoutMs } },
      ),
    )
  }

  private start(): Worker {
    this.ready = false
    const worker = new Worker(new URL('./hdf5.worker.ts', import.meta.url), {
      workerData: { maxMemoryMb: this.maxMemoryMb },
      resourceLimits: { maxOldGenerationSizeMb: this.maxMemoryMb },
    })
    worker.on('message', (answer: Hdf5Answer | Hdf5Part | 'ready') => {
      const job = this.current
      if (worker !== this.worker || !job) return
      if (answer === 'ready') {
        this.ready = true
        this.watch(job)
        return
      }
      if ('part' in answer) {
        job.onPart(answer.part)
        return
      }
      if (answer.ok) {
        this.settle()
        job.resolve(answer.result as never)
        this.next()
      } else {
        const error = new FormatError(answer.code, answer.message, { details: answer.details })
        if (answer.spent) this.end(job, error)
        else {
          this.settle()
          job.reject(error)
          this.next()
        }
      }
    })
    const broken = (cause: unknown): void => {
      if (worker !== this.worker) return
      const job = this.current
      if (!job) {
        this.release()
        return
      }
      this.end(
        job,
        new FormatError(
          `${FORMAT_OF[job.request.job]}.damaged`,
          'La lecture du fichier HDF5 a échoué, il est sans doute abîmé. Copiez-le de nouveau depuis sa source.',
          { cause },
        ),
      )
    }
    worker.on('error', broken)
    worker.on('exit', (code) => broken(new Error(`the HDF5 thread ended with ${code}`)))
    return worker
  }

  private settle(): void {
    clearTimeout(this.timer)
    this.current = undefined
    this.worker?.unref()
  }

  private release(): Worker | undefined {
    const worker = this.worker
    this.worker = undefined
    clearTimeout(this.timer)
    this.current = undefined
    return worker
  }

  /** Gives the job up together with its thread, and goes on with the next in a new one. */
  private end(job: Job, error: Error): void {
    void this.release()?.terminate()
    job.reject(error)
    this.next()
  }
}
