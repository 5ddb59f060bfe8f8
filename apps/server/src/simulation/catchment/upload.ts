import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { RadxError } from '@radx/contracts'
import {
  CATCHMENT_FILES_MAX,
  CATCHMENT_RATIO_MAX,
  CATCHMENT_UNPACKED_MAX,
  CATCHMENT_UPLOAD_MAX,
  type CatchmentUploaded,
  catchmentUploadedSchema,
} from '@radx/contracts/catchment-upload'
import { RECIPE_MAX_CELLS } from '@radx/contracts/recipe'
import { formatNumberFr } from '@radx/locale/format-fr'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { tellMore } from '../../audit/api.ts'
import type { App, Deps } from '../../http/app.ts'
import type { Reader } from '../../http/catchment-rights.ts'
import { isZip, unzip } from '../../http/unzip.ts'
import { acceptFiles, receiveUpload } from '../../http/uploads.ts'
import { type AnswerKind, answersOf } from '../../threads/answers.ts'
import { CatchmentLibrary } from './library.ts'
import { storeCatchmentOf } from './own-catchments.ts'

const refuse = (message: string) => new RadxError('catchment.upload', 422, message)

interface Sent {
  path: string
  name: string
  dir: string
  /** Whose it becomes; null for one of the site. */
  own: { owner: Reader; into?: string } | null
}

/**
 * Takes a zip of a package apart and imports it, with the checks of `radx catchment import`.
 * @throws RadxError `catchment.upload` for what is no such zip, CatchmentPackageError with the list of what is wrong
 */
export const importAnswer: AnswerKind<Sent, CatchmentUploaded> = {
  name: 'catchment.import',
  async run({ db, config }, { path, name, dir, own }) {
    await unpack(path, name, dir)
    if (own !== null) return storeCatchmentOf({ db, config }, own.owner, dir, { file: name, into: own.into })
    const { package: found, outcome } = await new CatchmentLibrary(db, config).import(dir, name)
    const { id, display } = found.catchment
    return { id, display, outcome, warnings: found.warnings }
  },
}

/** Puts the files of a zip into a folder. @throws RadxError `catchment.upload` */
async function unpack(path: string, name: string, dir: string): Promise<void> {
  if (!(await isZip(path)))
    throw refuse(
      `${name} n’est pas un zip. Envoyez le dossier du bassin versant, avec catchment.json, en un zip.`,
    )
  const files = await unzip(path, dir, {
    files: CATCHMENT_FILES_MAX,
    bytes: CATCHMENT_UNPACKED_MAX,
    ratio: CATCHMENT_RATIO_MAX,
    keep: 'Ne gardez que les fichiers du bassin versant.',
    refuse,
  })
  if (!files.includes('catchment.json'))
    throw refuse(
      `${name} ne contient pas de catchment.json : ce n’est pas un bassin versant. radx catchment build en construit un.`,
    )
  for (const file of files) if (/\.asc$/i.test(file)) await checkSize(join(dir, file), file)
}

const HEADER_BYTES = 1_024

/** Refuses a grid by what its head says, before there is room for it. */
async function checkSize(path: string, name: string): Promise<void> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
    const head = buffer.toString('latin1', 0, bytesRead)
    const count = (key: string) => Number(new RegExp(`\\b${key}\\s+(\\d+)`, 'i').exec(head)?.[1] ?? 0)
    const [ncols, nrows] = [count('ncols'), count('nrows')]
    if (ncols * nrows > RECIPE_MAX_CELLS)
      throw refuse(
        `${name} a ${formatNumberFr(ncols)} x ${formatNumberFr(nrows)} mailles, plus que les ${formatNumberFr(RECIPE_MAX_CELLS / 1e6)} millions acceptés ; il n’a pas été lu. Réduisez le contour ou prenez une maille plus grande.`,
      )
  } finally {
    await file.close()
  }
}

/** Has the zip of a request imported. */
export function catchmentTaker(app: App, deps: Deps) {
  const answers = answersOf(app, deps)
  acceptFiles(app)
  return (request: FastifyRequest, file: string, own: Sent['own']): Promise<CatchmentUploaded> =>
    receiveUpload(request, deps, CATCHMENT_UPLOAD_MAX, async (path) => {
      const name = file.replace(/^.*[/\\]/, '')
      // Made here, so that it goes also where the thread was ended.
      const dir = join(deps.config.dataDir, 'staging', randomUUID())
      await mkdir(dir, { recursive: true, mode: 0o700 })
      try {
        const done = await answers.make(importAnswer, { path, name, dir, own }, request)
        tellMore(request, { catchment: done.id, outcome: done.outcome })
        return done
      } finally {
        await rm(dir, { recursive: true, force: true })
      }
    })
}

export function registerCatchmentUpload(app: App, deps: Deps): void {
  const take = catchmentTaker(app, deps)
  app.post(
    '/api/multihydro/catchments',
    {
      schema: {
        summary: 'Ajoute un bassin versant à la plateforme, pour tous : le zip de son dossier',
        description:
          'Mêmes contrôles que radx catchment import ; details.problems d’un refus dit tout ce qui ne va pas. Un bassin qui porte déjà cet identifiant reçoit une nouvelle version.',
        tags: ['simulation'],
        consumes: ['application/zip', 'application/octet-stream'],
        querystring: z.object({ name: z.string().min(1).max(200) }),
        response: { 200: catchmentUploadedSchema },
      },
    },
    (request) => take(request, request.query.name, null),
  )
}
