import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { createTestDatabase } from './database.ts'

/** Stands between a client and a server, and can make the server vanish and come back on the same port. */
export class CuttableProxy {
  private readonly target: { host: string; port: number }
  private readonly sockets = new Set<Socket>()
  private server: Server | null = null
  port = 0

  constructor(target: { host: string; port: number }) {
    this.target = target
  }

  /** Lets connections through. */
  async up(): Promise<void> {
    const server = createServer((client) => {
      const upstream = connect(this.target)
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ]) {
        this.sockets.add(from)
        from.on('error', () => to.destroy())
        from.on('close', () => {
          this.sockets.delete(from)
          to.destroy()
        })
        from.pipe(to)
      }
    })
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve))
    this.port = (server.address() as AddressInfo).port
    this.server = server
  }

  /** Cuts every connection and refuses new ones. */
  async down(): Promise<void> {
    const server = this.server
    this.server = null
    if (!server) return
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of this.sockets) socket.destroy()
    await closed
  }
}

/** An empty database behind a proxy that is down at first, and its address there; both end with the test. */
export async function databaseBehindProxy(): Promise<{ proxy: CuttableProxy; url: string }> {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const url = new URL(database.url)
  const proxy = new CuttableProxy({ host: url.hostname, port: Number(url.port) })
  // Up once, so that it has a port.
  await proxy.up()
  await proxy.down()
  onTestFinished(() => proxy.down())
  url.port = String(proxy.port)
  return { proxy, url: url.href }
}
