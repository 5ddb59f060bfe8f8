import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { RadxError } from '@radx/contracts'
import type { FastifyRequest } from 'fastify'
import type { App } from './app.ts'
import { BadRequest } from './errors.ts'
import { Gate } from './gate.ts'
import { isStorable, refuseUnstorable } from './texts.ts'
import { receive, uploads } from './uploads.ts'

/** What a form without a grid takes, all fields together. */
const TEXT_BYTES = 8 * 2 ** 20
/** A field that is not named below. */
const FIELD_BYTES = 64 * 1024
const FIELDS = 60
/** Beside the values: boundaries and headers of the parts. */
const FRAME_BYTES = 64 * 1024
/** Whole forms that are taken apart and checked at once. */
const READ_AT_ONCE = 2
const WAITING = 16

export interface FormRules {
  /** Longest value of a field, bytes; others take 64 KiB. */
  fields: Record<string, number>
  /** Fields that hold a grid: they do not count towards the 8 MiB of everything else. */
  grids: readonly string[]
}

const gate = new Gate(READ_AT_ONCE, WAITING, {
  code: 'uploads.busy',
  message: 'Trop de formulaires sont en cours de lecture. Réessayer dans quelques secondes.',
})

/** Lets routes below take multipart forms by `withForm`; nothing is read before that. */
export function acceptForms(app: App): void {
  app.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))
}

/**
 * Reads the text fields of a multipart form and hands them to `use`. The body goes to disk first; few forms are in
 * memory at a time, and stay counted until `use` ended.
 * @throws BadRequest for a file, a field twice, a text that cannot be kept; RadxError 413, 429 or 503 over a limit
 */
export async function withForm<T>(
  request: FastifyRequest,
  { dataDir, user }: { dataDir: string; user: string },
  rules: FormRules,
  use: (fields: ReadonlyMap<string, string>) => Promise<T>,
): Promise<T> {
  const type = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(type))
    throw new BadRequest('multipart', 'body', 'Un formulaire multipart est attendu.')
  const grids = rules.grids.reduce((sum, name) => sum + (rules.fields[name] ?? FIELD_BYTES), 0)
  const length = Number(request.headers['content-length'] ?? Number.NaN)
  const announced = Number.isNaN(length) ? null : length
  return uploads.run(user, announced, (take) =>
    receive(
      request.raw,
      {
        folder: join(dataDir, 'uploads'),
        announced,
        maxBytes: TEXT_BYTES + grids + FRAME_BYTES,
        take,
      },
      (whole) => gate.run(async () => use(await readFields(whole, type, rules))),
    ),
  )
}

function readFields(body: Readable, type: string, rules: FormRules): Promise<Map<string, string>> {
  return new Promise((done, fail) => {
    const fields = new Map<string, string>()
    let bytes = 0
    const largest = Math.max(FIELD_BYTES, ...Object.values(rules.fields))
    const stop = (error: Error) => {
      body.unpipe()
      body.destroy()
      fail(error)
    }
    const parser = readerOf(type, largest, stop)
    if (!parser) return
    parser.on('file', (name: string, file: Readable) => {
      file.resume()
      stop(new BadRequest('file', name.slice(0, 60), 'Ce formulaire ne prend pas de fichier.'))
    })
    parser.on('field', (name: string, value: string, nameCut: boolean, valueCut: boolean) => {
      const size = Buffer.byteLength(value)
      if (nameCut || valueCut || size > (rules.fields[name] ?? FIELD_BYTES))
        return stop(tooLarge(`Le champ « ${isStorable(name) ? name.slice(0, 60) : '?'} » est trop long.`))
      if (fields.has(name))
        return stop(new BadRequest('twice', name, `Le champ « ${name} » est donné deux fois.`))
      if (!rules.grids.includes(name)) bytes += size
      if (bytes > TEXT_BYTES) return stop(tooLarge('Le formulaire est trop volumineux.'))
      try {
        refuseUnstorable(value, name)
        refuseUnstorable(name)
      } catch (error) {
        return stop(error as Error)
      }
      fields.set(name, value)
    })
    parser.on('fieldsLimit', () => stop(tooLarge('Le formulaire a trop de champs.')))
    parser.on('partsLimit', () => stop(tooLarge('Le formulaire a trop de parties.')))
    parser.on('error', () => stop(malformed()))
    parser.on('finish', () => done(fields))
    body.on('error', stop)
    body.pipe(parser)
  })
}

function readerOf(type: string, fieldSize: number, fail: (error: Error) => void) {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: { fieldSize, fieldNameSize: 100, fields: FIELDS, parts: FIELDS + 1, files: 1, fileSize: 1 },
    })
  } catch {
    fail(malformed())
    return null
  }
}

const malformed = () => new BadRequest('multipart', 'body', 'Le formulaire multipart est mal formé.')
const tooLarge = (messageFr: string) => new RadxError('request.tooLarge', 413, messageFr)
