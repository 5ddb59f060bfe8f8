import type { IncomingMessage } from 'node:http'
import { TokenBuckets } from '../http/token-buckets.ts'

/** A page follows one job on one socket; a laboratory behind one address has many pages. */
const SOCKETS = 10_000
const SOCKETS_AN_ADDRESS = 256
const OPENED = { burst: 256, perSecond: 8 }
/** Everything that comes in, heartbeats too, before it is parsed. */
const PACKETS = { burst: 120, perSecond: 20 }
const JOINS_A_SOCKET = { burst: 20, perSecond: 2 }
const JOINS_AN_ADDRESS = { burst: 200, perSecond: 20 }
export const ROOMS_A_SOCKET = 16

/** Part of engine.io's socket that is used here; it lies below Socket.IO's, whatever the namespace. */
interface Line {
  id: string
  request: IncomingMessage
  on(event: 'packet' | 'close', heard: () => void): void
  close(discard: boolean): void
}

/** Budgets of sockets, a socket and an address: whoever is over them is refused before the database is asked. */
export class SocketLimits {
  private readonly networkOf: (request: IncomingMessage) => string
  private readonly now: () => number
  private readonly open = new Map<string, number>()
  private total = 0
  private readonly opened = new TokenBuckets(OPENED)
  private readonly packets = new TokenBuckets(PACKETS)
  private readonly joins = new TokenBuckets(JOINS_A_SOCKET)
  private readonly addressJoins = new TokenBuckets(JOINS_AN_ADDRESS)

  constructor(networkOf: (request: IncomingMessage) => string, now: () => number) {
    this.networkOf = networkOf
    this.now = now
  }

  /** Whether a new socket may open. */
  mayOpen(request: IncomingMessage): boolean {
    const network = this.networkOf(request)
    if (this.total >= SOCKETS || (this.open.get(network) ?? 0) >= SOCKETS_AN_ADDRESS) return false
    return this.opened.take(network, this.now())
  }

  /** Counts an open socket, and closes it when it sends more than any page does. */
  watch(line: Line): void {
    const network = this.networkOf(line.request)
    this.count(network, 1)
    line.on('close', () => this.count(network, -1))
    line.on('packet', () => {
      if (!this.packets.take(line.id, this.now())) line.close(true)
    })
  }

  /** Whether a socket may ask to follow a job now. */
  mayJoin(socketId: string, request: IncomingMessage): boolean {
    const now = this.now()
    return this.joins.take(socketId, now) && this.addressJoins.take(this.networkOf(request), now)
  }

  private count(network: string, change: 1 | -1): void {
    this.total += change
    const left = (this.open.get(network) ?? 0) + change
    if (left > 0) this.open.set(network, left)
    else this.open.delete(network)
  }
}
