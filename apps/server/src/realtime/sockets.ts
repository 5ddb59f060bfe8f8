import {
  ALERTS_CHANGED,
  ALERTS_JOIN,
  type JobJoinAnswer,
  type JobProgress,
  jobJoinSchema,
  jobProgressSchema,
  RadxError,
} from '@radx/contracts'
import { Server, type Socket } from 'socket.io'
import { ALERT_CHANNEL } from '../alerts/api.ts'
import { keepDoing } from '../background.ts'
import { callerNetwork } from '../http/address.ts'
import type { App, Deps } from '../http/app.ts'
import { Gate } from '../http/gate.ts'
import { type Language, languageOf } from '../http/language/cookie.ts'
import { answerInEnglish } from '../http/language/translate.ts'
import { jobUser, listen, PROGRESS_CHANNEL, toProgress } from '../jobs/api.ts'
import { Followers, RECHECK_MS } from './followers.ts'
import { ROOMS_A_SOCKET, SocketLimits } from './limits.ts'

/** Questions to the database on behalf of all sockets: never more of the pool than this. */
const JOINS_AT_ONCE = 3
const JOINS_WAITING = 200
/** A line that opens and then says nothing is given up, ms. */
const CONNECT_MS = 10_000
/** Who follows a job in English is told in English. */
const ENGLISH = /:en$/
const room = (jobId: string, language: Language) => `job:${jobId}${language === 'en' ? ':en' : ''}`
const alertRoom = (username: string) => `alerts:${username}`
const refusal = (error: string): JobJoinAnswer => ({ ok: false, error })
const BUSY = 'Trop de demandes de suivi. Réessayez dans quelques secondes.'

/**
 * Progress of jobs to the browsers. A client connects with `auth: { token }`, emits `job-join`
 * {socketId, jobId} and hears `job-progress`; `job-leave` ends it. What it may ask for is bounded by `SocketLimits`.
 *
 * Every server process hears the workers over PostgreSQL notifications and tells its own sockets, so a
 * browser may be connected to any of them.
 */
export function installSockets(app: App, deps: Deps): void {
  const now = () => deps.clock.now()
  const limits = new SocketLimits(callerNetwork(deps.config.trustProxy), now)
  const followers = new Followers(deps.sessions, now)
  const gate = new Gate(JOINS_AT_ONCE, JOINS_WAITING, { code: 'jobs.busy', message: BUSY })
  const io = new Server({
    serveClient: false,
    maxHttpBufferSize: 16_384,
    connectTimeout: CONNECT_MS,
    allowRequest: (request, answer) => answer(null, limits.mayOpen(request)),
  })
  const stop = new AbortController()
  const ears: ReturnType<typeof listen>[] = []

  const join = async (socket: Socket, payload: unknown): Promise<JobJoinAnswer> => {
    if (!limits.mayJoin(socket.id, socket.request)) return refusal(BUSY)
    const parsed = jobJoinSchema.safeParse(payload)
    if (!parsed.success || parsed.data.socketId !== socket.id)
      return refusal('Demande de suivi mal formée : socketId et jobId sont attendus.')
    const name = room(parsed.data.jobId, languageOf(socket.request))
    if (socket.rooms.size > ROOMS_A_SOCKET && !socket.rooms.has(name))
      return refusal(`Une page ne peut suivre plus de ${ROOMS_A_SOCKET} calculs.`)
    try {
      return await gate.run(async () => {
        const session = await followers.sessionOf(socket)
        if (!session) return refusal('Connectez-vous pour suivre ce calcul.')
        // In the room first: a message in between comes twice rather than never.
        await socket.join(name)
        const row = await deps.jobs.queue().visible(parsed.data.jobId, jobUser(session))
        return { ok: true, progress: toProgress(row) }
      })
    } catch (error) {
      await socket.leave(name)
      if (error instanceof RadxError) return refusal(error.message)
      deps.log.error({ err: error }, 'suivi de calcul impossible')
      return refusal('Suivi momentanément impossible. Réessayez.')
    }
  }

  /** Hears that one's own alerts changed; what they are is asked for by the calls. */
  const joinAlerts = async (socket: Socket): Promise<void> => {
    if (!limits.mayJoin(socket.id, socket.request)) return
    const session = await gate.run(() => followers.sessionOf(socket)).catch(() => null)
    if (!session) return
    await socket.join(alertRoom(session.name))
    // What changed while it came, or was away, it did not hear.
    socket.emit(ALERTS_CHANGED)
  }

  io.on('connection', (socket) => {
    socket.on('job-join', async (payload, ack) => {
      const given = await join(socket, payload)
      const answer = languageOf(socket.request) === 'en' ? answerInEnglish(given) : given
      if (answer.ok) socket.emit('job-progress', answer.progress)
      if (typeof ack === 'function') ack(answer)
    })
    socket.on(ALERTS_JOIN, () => void joinAlerts(socket))
    socket.on('job-leave', (payload) => {
      const parsed = jobJoinSchema.safeParse(payload)
      if (parsed.success) void socket.leave(room(parsed.data.jobId, languageOf(socket.request)))
    })
  })

  const tell = (name: string, progress: JobProgress) => {
    if (!io.of('/').adapter.rooms.has(name)) return
    io.local.to(name).emit('job-progress', ENGLISH.test(name) ? answerInEnglish(progress) : progress)
  }

  /** After a gap in what was heard, followers get the state as it is. */
  const tellAll = async () => {
    for (const name of io.of('/').adapter.rooms.keys()) {
      if (!name.startsWith('job:')) continue
      const row = await deps.db
        .selectFrom('job')
        .selectAll()
        .where('id', '=', name.slice('job:'.length).replace(ENGLISH, ''))
        .executeTakeFirst()
        .catch(() => undefined)
      if (row) tell(name, toProgress(row))
    }
  }

  app.addHook('onListen', () => {
    io.attach(app.server)
    deps.status.sockets = () => io.engine.clientsCount
    io.engine.on('connection', (line) => limits.watch(line))
    void keepDoing(() => followers.recheck(io, stop.signal), {
      signal: stop.signal,
      pauseMs: RECHECK_MS,
      log: deps.log,
      failed: "Les sessions des suivis n'ont pas pu être revues",
    })
    const progressEar = listen(
      deps.database,
      PROGRESS_CHANNEL,
      deps.log,
      (payload) => {
        const progress = jobProgressSchema.parse(JSON.parse(payload))
        tell(room(progress.jobId, 'fr'), progress)
        tell(room(progress.jobId, 'en'), progress)
      },
      () => void tellAll(),
    )
    const alertEar = listen(
      deps.database,
      ALERT_CHANNEL,
      deps.log,
      (username) => io.local.to(alertRoom(username)).emit(ALERTS_CHANGED),
      () => io.local.emit(ALERTS_CHANGED),
    )
    ears.push(progressEar, alertEar)
  })
  app.addHook('preClose', async () => {
    stop.abort()
    // Never listened, such as when the port was taken.
    if (ears.length === 0) return
    io.disconnectSockets(true)
    await io.close()
    await Promise.all(ears.map((ear) => ear.close()))
  })
}
