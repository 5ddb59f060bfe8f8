import { parentPort, workerData } from 'node:worker_threads'
import { io, type Socket } from 'socket.io-client'

/** A thread that emits as fast as it can, so that who measures is not slowed by who attacks. */
export interface FloodData {
  url: string
  token: string | null
  sockets: number
  /** It ends after so many, or after the time. */
  emits: number
  milliseconds: number
  /** Whether each emit asks for its acknowledgement. */
  acknowledged: boolean
}
export interface FloodReport {
  sent: number
  acknowledged: number
  closed: number
  refused: number
}

const BURST = 500
const { url, token, sockets, emits, milliseconds, acknowledged } = workerData as FloodData
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

const jobId = '00000000-0000-4000-8000-000000000000'
const pause = (ms: number) => new Promise((next) => setTimeout(next, ms))

/** One attacker: emits without a pause, and comes back whenever it is cut off. */
async function attack(until: number): Promise<void> {
  while (Date.now() < until && report.sent < emits) {
    const socket = await connect()
    if (socket === null) {
      await pause(20)
      continue
    }
    while (socket.connected && Date.now() < until && report.sent < emits) {
      for (let k = 0; k < BURST; k++) {
        const payload = { socketId: socket.id, jobId }
        if (acknowledged) socket.emit('job-join', payload, () => report.acknowledged++)
        else socket.emit('job-join', payload)
        report.sent++
      }
      // Lets the bytes out and the answers in.
      await pause(0)
    }
    socket.disconnect()
  }
}

await Promise.all(Array.from({ length: sockets }, () => attack(Date.now() + milliseconds)))
parentPort!.postMessage(report)
