import { Agent, createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Balancer {
  url: string
  /** Addresses of the servers behind it. */
  targets: string[]
  close(): Promise<void>
}

/**
 * Shares GET calls out in turn; one that a server refuses or drops before it answers goes to the next, as nginx does.
 */
export async function startBalancer(targets: string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const server: Server = createServer((incoming, outgoing) => {
    const attempt = (left: number) => {
      const target = balancer.targets[turn++ % balancer.targets.length]
      const call = httpRequest(`${target}${incoming.url}`, { headers: incoming.headers, agent }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
      })
      call.on('error', () => {
        if (outgoing.headersSent) outgoing.destroy()
        else if (left > 0) attempt(left - 1)
        else outgoing.writeHead(502).end()
      })
      call.end()
    }
    attempt(3)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const balancer: Balancer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targets,
    close: async () => {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  return balancer
}
