import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { RadxError } from '@radx/contracts/errors'
import type { FitTask, KeptTrial } from './fit.ts'

/** What hangs on a task: trials of another one may not be gone on with. */
export function taskHash({ parameters, events, objective, runs, seed }: FitTask): string {
  const hash = createHash('sha256')
  hash.update(JSON.stringify({ parameters, objective, runs, seed }))
  for (const { name, use, rain, series, options, scheme, catchment, classes, landUseCodes } of events) {
    hash.update(JSON.stringify({ name, use, options, scheme, classes, gullies: catchment.gullies }))
    hash.update(JSON.stringify([rain.durationS, rain.intervalS, [...rain.edgesS]]))
    for (const rate of rain.ratesMS) hash.update(Float64Array.from(typeof rate === 'number' ? [rate] : rate))
    for (const data of [rain.groupOf, catchment.elevation.data, catchment.landUse.data, landUseCodes])
      if (data) hash.update(new Uint8Array(data.slice().buffer))
    hash.update(catchment.networkText ?? '')
    for (const { target, timesS, values } of series) {
      hash.update(JSON.stringify(target))
      hash.update(timesS)
      hash.update(values)
    }
  }
  return hash.digest('hex')
}

/** A trial as text: courses as they lie in memory, so that nothing is rounded. */
export function encodeTrial({ simulated, ...rest }: KeptTrial): string {
  const courses = simulated.map((course) =>
    Buffer.from(course.buffer, course.byteOffset, course.byteLength).toString('base64'),
  )
  return JSON.stringify({ ...rest, simulated: courses })
}

export function decodeTrial(text: string): KeptTrial {
  const { simulated, ...rest } = JSON.parse(text) as Omit<KeptTrial, 'simulated'> & { simulated: string[] }
  return {
    ...rest,
    simulated: simulated.map((course) => {
      const bytes = Uint8Array.from(Buffer.from(course, 'base64'))
      return new Float32Array(bytes.buffer)
    }),
  }
}

/** Trials of a calibration in a file, a line each below the hash of its task; a broken last line counts for nothing. */
export class TrialJournal {
  private readonly path: string

  constructor(path: string) {
    this.path = path
  }

  get exists(): boolean {
    return existsSync(this.path)
  }

  begin(hash: string): void {
    writeFileSync(this.path, `${JSON.stringify({ task: hash })}\n`)
  }

  /** @throws RadxError `calibration.config` for those of another task */
  read(hash: string): KeptTrial[] {
    const text = readFileSync(this.path, 'utf8')
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    if (whole.length < text.length) truncateSync(this.path, Buffer.byteLength(whole))
    const [head = '{}', ...lines] = whole.split('\n').filter((line) => line !== '')
    if ((JSON.parse(head) as { task?: string }).task !== hash)
      throw new RadxError(
        'calibration.config',
        422,
        `Les essais gardés dans ${this.path} sont ceux d’un autre calage : épisodes, mesures, bornes ou bassin ont changé. Donner un autre dossier.`,
      )
    return lines.map(decodeTrial)
  }

  add(trials: readonly KeptTrial[]): void {
    appendFileSync(this.path, trials.map((trial) => `${encodeTrial(trial)}\n`).join(''))
  }
}
