import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { csv } from '../../networks/model/tables.ts'
import { UsageError } from '../command.ts'
import { csvOut } from '../csv-out.ts'

export interface BatchOptions {
  network: string
  out: string
  files: string[]
  maxStepS?: number
  fine?: boolean
  implicit?: boolean
  hydraulicsOnly?: boolean
  signal?: AbortSignal
  onWarning?: (text: string) => void
}

/** What a thread is told and answers. */
export type BatchTask = Pick<
  BatchOptions,
  'network' | 'maxStepS' | 'fine' | 'implicit' | 'hydraulicsOnly'
> & {
  file: string
  out: string
}
export type BatchAnswer =
  | { ok: true; row: Record<(typeof COLUMNS)[number], number>; warnings: string[] }
  | { ok: false; message: string }

/** Columns of the table, volumes and flows in the file's units. */
export const COLUMNS = [
  'rain',
  'runoff_volume',
  'outfall_volume',
  'flooded_volume',
  'flooded_nodes',
  'max_outfall_flow',
  'surcharged_links',
  'balance_error',
  'wall_s',
] as const

/** Runs a model with each of the files, as many at once as there are processors, each into a folder of its name. */
export async function runBatch(options: BatchOptions): Promise<{ text: string; failed: number }> {
  const { files, out, signal } = options
  const names = files.map((file) => basename(file).replace(/\.[^.]*$/, ''))
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined)
    throw new UsageError(
      `--batch : deux fichiers s'appellent « ${twice} ». Leurs résultats iraient dans le même dossier.`,
    )
  await mkdir(out, { recursive: true })
  const answers: (BatchAnswer | null)[] = files.map(() => null)
  const told = new Set<string>()
  let next = 0
  const one = async () => {
    while (next < files.length && !signal?.aborted) {
      const k = next++
      const { network, maxStepS, fine, implicit, hydraulicsOnly } = options
      const file = resolve(files[k])
      answers[k] = await runThread(
        { network, maxStepS, fine, implicit, hydraulicsOnly, file, out: join(out, names[k]) },
        signal,
      )
      for (const warning of answers[k].ok ? answers[k].warnings : []) {
        if (!told.has(warning)) options.onWarning?.(warning)
        told.add(warning)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(files.length, availableParallelism()) }, one))
  await writeFile(
    join(out, 'batch.csv'),
    csvOut(
      csv(
        ['name', ...COLUMNS, 'error'].join(','),
        answers.map((answer, k) => [
          names[k],
          ...COLUMNS.map((column) => (answer?.ok ? answer.row[column] : '')),
          answer === null ? 'interrompu' : answer.ok ? '' : answer.message,
        ]),
      ),
    ),
  )
  const failed = answers.filter((answer) => answer && !answer.ok).length
  return { text: table(names, answers), failed }
}

function runThread(task: BatchTask, signal: AbortSignal | undefined): Promise<BatchAnswer> {
  return new Promise((done) => {
    const worker = new Worker(new URL('./batch-worker.ts', import.meta.url), { workerData: task })
    const stop = () => void worker.terminate()
    signal?.addEventListener('abort', stop, { once: true })
    let answer: BatchAnswer = { ok: false, message: 'interrompu' }
    worker.on('message', (message: BatchAnswer) => {
      answer = message
    })
    worker.on('error', (error) => {
      answer = { ok: false, message: `erreur inattendue : ${error.message}` }
    })
    worker.on('exit', () => {
      signal?.removeEventListener('abort', stop)
      done(answer)
    })
  })
}

const HEADS: Record<(typeof COLUMNS)[number], string> = {
  rain: 'pluie',
  runoff_volume: 'ruisselé',
  outfall_volume: 'exutoires',
  flooded_volume: 'débordé',
  flooded_nodes: 'nœuds',
  max_outfall_flow: 'débit max',
  surcharged_links: 'en charge',
  balance_error: 'bilan',
  wall_s: 'durée s',
}

function table(names: string[], answers: (BatchAnswer | null)[]): string {
  const width = Math.max(12, ...names.map((name) => name.length)) + 2
  const figure = (value: number) =>
    Math.abs(value) > 0 && Math.abs(value) < 1e-3
      ? value.toExponential(1)
      : value.toLocaleString('fr-FR', { maximumFractionDigits: 2 })
  return [
    `${''.padEnd(width)}${COLUMNS.map((column) => HEADS[column].padStart(12)).join('')}`,
    ...answers.map((answer, k) =>
      answer?.ok
        ? `${names[k].padEnd(width)}${COLUMNS.map((column) => figure(answer.row[column]).padStart(12)).join('')}`
        : `${names[k].padEnd(width)}  ${answer ? answer.message : 'interrompu'}`,
    ),
  ].join('\n')
}
