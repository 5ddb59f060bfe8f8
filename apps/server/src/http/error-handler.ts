import { STATUS_CODES } from 'node:http'
import { RadxError } from '@radx/contracts'
import type { ErrorCode } from '@radx/contracts/errors'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { fieldName } from '../config/issue.ts'
import { DatabaseUnavailable, isDiskFull, unavailableReason } from '../db/errors.ts'
import type { App } from './app.ts'
import { NotFound, TooManyRequests } from './errors.ts'
import { languageOf } from './language/cookie.ts'
import { answerInEnglish } from './language/translate.ts'

/** What every failed call answers. */
interface ErrorAnswer {
  statusCode: number
  code: string
  /** HTTP reason phrase. */
  error: string
  /** French; says what happened, to what, and what to do. */
  message: string
  details?: Record<string, unknown>
  /** As the standards call the message. */
  description?: string
}

const RETRY_AFTER_SECONDS = 5

/** Fastify's own refusals, in French. */
const FASTIFY: Record<string, { code: ErrorCode; message: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'request.tooLarge', message: 'La requête est trop volumineuse.' },
  FST_REQ_FILE_TOO_LARGE: { code: 'request.tooLarge', message: 'Le fichier envoyé est trop volumineux.' },
  FST_FILES_LIMIT: { code: 'request.tooLarge', message: 'Trop de fichiers ont été envoyés.' },
  FST_PARTS_LIMIT: { code: 'request.tooLarge', message: 'La requête a trop de parties.' },
  FST_FIELDS_LIMIT: { code: 'request.tooLarge', message: 'La requête a trop de champs.' },
  FST_INVALID_MULTIPART_CONTENT_TYPE: {
    code: 'request.mediaType',
    message: 'Un envoi multipart/form-data est attendu.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'request.mediaType',
    message: "Ce type de contenu n'est pas accepté.",
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'request.invalid', message: 'Un contenu JSON est attendu.' },
  FST_ERR_CTP_INVALID_JSON_BODY: {
    code: 'request.invalid',
    message: "Le contenu de la requête n'est pas un JSON valide.",
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'request.invalid',
    message: 'La longueur annoncée de la requête est fausse.',
  },
  FST_ERR_BAD_URL: { code: 'request.invalid', message: "L'adresse demandée est mal formée." },
}

/** Turns whatever a route throws into an `ErrorAnswer`, and logs what is the server's fault. */
export function installErrorHandler(app: App): void {
  app.setErrorHandler((error: FastifyError | Error, request, reply) => {
    const known = toRadxError(error, request)
    const level = known.status >= 500 && known.status !== 503 ? 'error' : 'info'
    request.log[level](
      {
        err: known.status >= 500 && known.status !== 503 ? error : undefined,
        code: known.code,
        details: known.details,
      },
      known.message,
    )
    return answer(reply, known)
  })
  app.setNotFoundHandler((_request, reply) => answer(reply, new NotFound()))
}

function answer(reply: FastifyReply, error: RadxError): FastifyReply {
  if (error.status === 503 || error.status === 429)
    reply.header('retry-after', Number(error.details.retryAfterSeconds ?? RETRY_AFTER_SECONDS))
  // What is left of a body that was refused is not waited for.
  if (error.status === 413 || error.code === 'uploads.busy') reply.header('connection', 'close')
  if (error.status === 401) reply.header('www-authenticate', 'Bearer')
  const body: ErrorAnswer = {
    statusCode: error.status,
    code: error.code,
    error: STATUS_CODES[error.status] ?? 'Error',
    message: error.message,
  }
  if (Object.keys(error.details).length > 0) body.details = error.details
  if (reply.request.url.startsWith('/ogc/')) body.description = error.message
  // A route's own schema and headers are for its success.
  for (const name of ['content-encoding', 'content-disposition', 'content-length', 'etag'])
    reply.removeHeader(name)
  return reply
    .code(error.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(languageOf(reply.request) === 'en' ? answerInEnglish(body) : body)
}

/** Any failure of a call as one of ours. */
export function toRadxError(error: FastifyError | Error, request: FastifyRequest): RadxError {
  if (error instanceof RadxError) return error
  if (hasZodFastifySchemaValidationErrors(error)) {
    const issues = error.validation.map(({ instancePath, message }) => ({
      field: fieldName(instancePath.split('/').slice(1).filter(Boolean)),
      message: message ?? 'valeur refusée',
    }))
    const [{ field, message }] = issues
    return new RadxError(
      'request.invalid',
      400,
      `${field ? `Champ « ${field} »` : 'Requête refusée'} : ${message.replace(/\.$/, '')}.`,
      { details: { in: error.validationContext, fields: issues } },
    )
  }
  const reason = unavailableReason(error)
  if (reason) return new DatabaseUnavailable(reason, error)
  if (isDiskFull(error))
    return new RadxError(
      'storage.full',
      507,
      "Le disque du serveur est plein : rien n'a été enregistré. Libérer de la place, puis réessayer.",
      { cause: error },
    )
  const { code, statusCode = 500 } = error as FastifyError
  const own = FASTIFY[code]
  if (own) return new RadxError(own.code, statusCode, own.message)
  if (statusCode === 429) return new TooManyRequests()
  if (statusCode >= 400 && statusCode < 500)
    return new RadxError('request.invalid', statusCode, 'La requête est refusée.', { cause: error })
  return new RadxError(
    'internal',
    500,
    `Une erreur inattendue s'est produite. Réessayer plus tard ; si elle persiste, transmettre le numéro ${request.id}.`,
    { cause: error },
  )
}
