import { type JobJoinAnswer, type JobProgress, jobJoinSchema, RadxError } from '@radx/contracts'
import { Server, type Socket } from 'socket.io'
import type { App, Deps } from '../http/app.ts'
import { jobUser, listen, PROGRESS_CHANNEL, toProgress } from '../jobs/api.ts'

/** How often the session behind an open socket is looked at again, ms. */
const RECHECK_MS = 4_000
const room = (jobId: string) => `job:${jobId}`

/**
 * Progress of jobs to the browsers. A client connects with `auth: { token }`, emits `job-join`
 * {socketId, jobId} and hears `job-progress`; `job-leave` ends it.
 *
 * Every server process hears the workers over PostgreSQL notifications and tells its own sockets, so a
 * browser may be connected to any of them.
 */
export function installSockets(app: App, deps: Deps): void {
  const io = new Server({ serveClient: false, maxHttpBufferSize: 16_384 })
  let ear: ReturnType<typeof listen> | null = null

  const sessionOf = async (socket: Socket) => {
    const token = socket.handshake.auth.token
    return typeof token === 'string' ? deps.sessions.resolve(token) : null
  }

  const join = async (socket: Socket, payload: unknown): Promise<JobJoinAnswer> => {
    const parsed = jobJoinSchema.safeParse(payload)
    if (!parsed.success || parsed.data.socketId !== socket.id)
      return { ok: false, error: 'Demande de suivi mal formée : socketId et jobId sont attendus.' }
    try {
      const session = await sessionOf(socket)
      if (!session) return { ok: false, error: 'Connectez-vous pour suivre ce calcul.' }
      // In the room first: a message in between comes twice rather than never.
      await socket.join(room(parsed.data.jobId))
      const row = await deps.jobs.queue().visible(parsed.data.jobId, jobUser(session))
      return { ok: true, progress: toProgress(row) }
    } catch (error) {
      await socket.leave(room(parsed.data.jobId))
      if (error instanceof RadxError) return { ok: false, error: error.message }
      deps.log.error({ err: error }, 'suivi de calcul impossible')
      return { ok: false, error: 'Suivi momentanément impossible. Réessayez.' }
    }
  }

  io.on('connection', (socket) => {
    socket.on('job-join', async (payload, ack) => {
      const answer = await join(socket, payload)
      if (answer.ok) socket.emit('job-progress', answer.progress)
      if (typeof ack === 'function') ack(answer)
    })
    socket.on('job-leave', (payload) => {
      const parsed = jobJoinSchema.safeParse(payload)
      if (parsed.success) void socket.leave(room(parsed.data.jobId))
    })
    const recheck = setInterval(async () => {
      if (socket.rooms.size < 2) return
      const session = await sessionOf(socket).catch(() => undefined)
      // undefined: the database is away; only a clear no ends it.
      if (session === null) socket.disconnect(true)
    }, RECHECK_MS)
    socket.on('disconnect', () => clearInterval(recheck))
  })

  /** After a gap in what was heard, followers get the state as it is. */
  const tellAll = async () => {
    for (const name of io.of('/').adapter.rooms.keys()) {
      if (!name.startsWith('job:')) continue
      const row = await deps.db
        .selectFrom('job')
        .selectAll()
        .where('id', '=', name.slice(4))
        .executeTakeFirst()
        .catch(() => undefined)
      if (row) io.local.to(name).emit('job-progress', toProgress(row))
    }
  }

  app.addHook('onListen', () => {
    io.attach(app.server)
    ear = listen(
      deps.database,
      PROGRESS_CHANNEL,
      deps.log,
      (payload) => {
        const progress = JSON.parse(payload) as JobProgress
        io.local.to(room(progress.jobId)).emit('job-progress', progress)
      },
      () => void tellAll(),
    )
  })
  app.addHook('preClose', async () => {
    // Never listened, such as when the port was taken.
    if (!ear) return
    io.disconnectSockets(true)
    await io.close()
    await ear.close()
  })
}
