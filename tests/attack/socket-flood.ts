import { parentPort, workerData } from 'node:worker_threads'
import { io, type Socket } from 'socket.io-client'

/** A thread that emits as fast as it can, so that who measures is not slowed by who attacks. */
export interface FloodData {
  url: string
  token: string | null
  sockets: number
  emits: number
  /** Whether each emit asks for its acknowledgement. */
  acknowledged: boolean
}
export interface FloodReport {
  sent: number
  acknowledged: number
  closed: number
  refused: number
}

const { url, token, sockets, emits, acknowledged } = workerData as FloodData
const report: FloodReport = { sent: 0, acknowledged: 0, closed: 0, refused: 0 }

/** A socket; null when none is given. */
const connect = () =>
  new Promise<Socket | null>((done) => {
    const socket = io(url, {
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      auth: token === null ? {} : { token },
    })
    socket.on('connect', () => done(socket))
    socket.on('connect_error', () => {
      report.refused++
      done(null)
    })
    socket.on('disconnect', () => report.closed++)
  })

const open = (await Promise.all(Array.from({ length: sockets }, connect))).filter((s) => s !== null)
const jobId = '00000000-0000-4000-8000-000000000000'
for (let k = 0; k < emits; k++) {
  const socket = open[k % Math.max(1, open.length)]
  if (socket?.connected) {
    const payload = { socketId: socket.id, jobId }
    if (acknowledged) socket.emit('job-join', payload, () => report.acknowledged++)
    else socket.emit('job-join', payload)
    report.sent++
  }
  // Lets the bytes out.
  if (k % 500 === 499) await new Promise((next) => setImmediate(next))
}
await new Promise((next) => setTimeout(next, 2_000))
for (const socket of open) socket.disconnect()
parentPort!.postMessage(report)
