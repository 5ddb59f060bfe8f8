import { createWriteStream } from 'node:fs'
import { copyFile, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setImmediate as turn } from 'node:timers/promises'
import type { BuilderResult } from '@radx/contracts'
import { Zip, ZipDeflate } from 'fflate'
import type { JobContext, JobKind } from '../../jobs/api.ts'
import { openFileStore } from '../../store/file-store.ts'
import { buildCatchment } from '../build.ts'
import { checkRecipe } from '../recipe.ts'
import { inScreenWords, refusedInScreenWords } from './screen-words.ts'
import { checkSources, type DraftFile, gatherSources } from './sources.ts'

export const BUILD = 'catchmentbuild'
/** Files of a finished build. */
export const BUILD_OUTPUT = { zip: 'bassin.zip', report: 'report.md' } as const

/** A build as the queue keeps it: the draft may change meanwhile. */
export interface BuildInput {
  draftId: string
  title: string
  recipe: unknown
  files: readonly DraftFile[]
}

/** Steps that tell of themselves: what a bar of progress counts. */
const STEPS = 12

export const buildJob: JobKind<BuildInput, BuilderResult> = {
  name: BUILD,
  perUser: 2,
  timeoutSeconds: 3_600,
  memoryMb: 3_000,
  visibility: 'owner',
  keep: 'exports',
  run: (context) =>
    build(context).catch((error) => {
      throw refusedInScreenWords(error)
    }),
}

async function build({
  input,
  config,
  outDir,
  signal,
  progress,
  log,
}: JobContext<BuildInput>): Promise<BuilderResult> {
  const { draftId, files } = input
  const recipe = checkRecipe(input.recipe)
  const store = openFileStore(config)
  const [sources, made] = [join(outDir, 'sources'), join(outDir, 'bassin')]
  progress(0, STEPS, 'lecture des fichiers')
  await checkSources(store, draftId, files)
  await gatherSources(store, draftId, files, sources)
  let step = 0
  const report = await buildCatchment(recipe, {
    folder: sources,
    root: sources,
    out: made,
    progress: (text) => {
      signal.throwIfAborted()
      step = Math.min(STEPS - 1, step + 1)
      progress(step, STEPS, text)
      log(text)
    },
    // A wish to stop is heard between two steps.
    between: async () => {
      await turn()
      signal.throwIfAborted()
    },
  })
  await zipFolder(made, join(outDir, BUILD_OUTPUT.zip))
  await copyFile(join(made, 'report.md'), join(outDir, BUILD_OUTPUT.report))
  await Promise.all([sources, made].map((dir) => rm(dir, { recursive: true, force: true })))
  progress(STEPS, STEPS, 'terminé')
  const { id, display, findings, warnings, seconds } = report
  return {
    id,
    display,
    findings: findings.map(({ step: of, kind, text }) => ({ step: of, kind, text: inScreenWords(text) })),
    warnings: [...warnings],
    seconds: Object.values(seconds).reduce((sum, value) => sum + value, 0),
    bytes: (await stat(join(outDir, BUILD_OUTPUT.zip))).size,
  }
}

/** The files of a folder as a zip. */
async function zipFolder(dir: string, to: string): Promise<void> {
  const file = createWriteStream(to)
  const zip = new Zip((error, bytes, last) => {
    if (error) file.destroy(error)
    else if (bytes.length > 0) file.write(bytes)
    if (last) file.end()
  })
  for (const name of (await readdir(dir)).sort()) {
    const entry = new ZipDeflate(name)
    zip.add(entry)
    entry.push(await readFile(join(dir, name)), true)
  }
  zip.end()
  await finished(file)
}
