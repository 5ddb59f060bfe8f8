import { RadxError } from '@radx/contracts'

/** The database cannot be reached now; what was asked can be asked again. */
export class DatabaseUnavailable extends RadxError {
  override readonly name: string = 'DatabaseUnavailable'
  constructor(reason: string, cause?: unknown) {
    super(
      'database.unavailable',
      503,
      `La base de données ne répond pas (${reason}). Le service reprend de lui-même dès son retour ; réessayer dans un instant.`,
      { cause, details: { reason } },
    )
  }
}

/** Why there is none in the first seconds of a process. */
export const STARTING = 'démarrage en cours'

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
])
// admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections
const SERVER = new Set(['57P01', '57P02', '57P03', '53300'])
const DRIVER =
  /Connection terminated|Client has encountered a connection error|Client was closed|timeout when trying to connect|Query read timeout/i
/** Of the pool, when no connection came free in time; a server that does not answer ends otherwise. */
const ALL_TAKEN = 'timeout exceeded when trying to connect'

/**
 * Whether an error of the driver means "no database at the moment", and why, in French;
 * null when it is about the statement.
 */
export function unavailableReason(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof DatabaseUnavailable) return String(error.details.reason)
  if (error instanceof AggregateError && error.errors.length > 0) return unavailableReason(error.errors[0])
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code && NETWORK.has(code) && (code !== 'ENOENT' || syscall === 'connect'))
    return code === 'ECONNREFUSED' ? 'connexion refusée' : `connexion impossible, ${code}`
  if (code === '53300') return 'trop de connexions'
  if (code && (SERVER.has(code) || code.startsWith('08'))) return "le serveur s'arrête ou démarre"
  if (code === '28P01' || code === '28000') return 'identifiants refusés'
  if (code === '3D000') return "la base n'existe pas"
  if (error.message === ALL_TAKEN) return 'toutes les connexions sont occupées'
  if (DRIVER.test(error.message)) return 'connexion perdue'
  return error.cause ? unavailableReason(error.cause) : null
}

/** Whether an error means that a disk is full: PostgreSQL's disk_full or the file system's ENOSPC. */
export function isDiskFull(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code
  return code === '53100' || code === 'ENOSPC' || code === 'EDQUOT'
}
