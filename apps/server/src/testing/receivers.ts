import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, createServer as createTcp } from 'node:net'

export interface ReceivedCall {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** A web server that keeps what it is sent; `answer` decides, by path and count, what it says. */
export async function httpReceiver(answer: (path: string, count: number) => number | 'nothing' = () => 204) {
  const calls: ReceivedCall[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const path = request.url!
      calls.push({ path, headers: request.headers, body: Buffer.concat(parts) })
      const status = answer(path, calls.filter((call) => call.path === path).length)
      if (status === 'nothing') return
      response.writeHead(status, status === 307 ? { location: 'http://127.0.0.1:1/private' } : {}).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url, calls, stop }
}

/** A mail server that keeps what it is sent (RFC 5321, as much as a client needs). */
export async function mailReceiver() {
  const mails: { to: string; text: string }[] = []
  const state = { isAway: false }
  const server = createTcp((socket) => {
    if (state.isAway) return void socket.destroy()
    let [to, data, waiting] = ['', null as string | null, '']
    const say = (text: string) => socket.write(`${text}\r\n`)
    socket.on('error', () => undefined)
    say('220 receiver')
    socket.on('data', (bytes) => {
      waiting += bytes
      for (let end = waiting.indexOf('\r\n'); end >= 0; end = waiting.indexOf('\r\n')) {
        const line = waiting.slice(0, end)
        waiting = waiting.slice(end + 2)
        if (data !== null && line !== '.') data += `${line}\n`
        else if (data !== null) {
          mails.push({ to, text: data })
          data = null
          say('250 kept')
        } else if (/^RCPT/i.test(line)) {
          to = /<(.*)>/.exec(line)![1]
          say(to.startsWith('unknown') ? '550 nobody' : '250 ok')
        } else if (/^DATA/i.test(line)) {
          data = ''
          say('354 go on')
        } else if (/^QUIT/i.test(line)) {
          say('221 bye')
          socket.end()
        } else say('250 ok')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, mails, state, stop: () => server.close() }
}

/** A browser's side of Web Push. */
export function pushSubscriber(endpoint: string) {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  const auth = randomBytes(16)
  const keys = { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') }
  return {
    endpoint,
    keys,
    open: (body: Buffer) => JSON.parse(decrypted(body, ecdh, auth)) as Record<string, string>,
  }
}

/** A message of one record as a browser opens it: RFC 8291 over RFC 8188, `aes128gcm`. */
function decrypted(body: Buffer, receiver: ECDH, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const idLength = body[20]
  const sender = body.subarray(21, 21 + idLength)
  const sealed = body.subarray(21 + idLength)
  const hkdf = (key: Buffer, withSalt: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', key, withSalt, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver.getPublicKey(), sender])
  const secret = hkdf(receiver.computeSecret(sender), auth, info, 32)
  const key = hkdf(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = hkdf(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce, { authTagLength: 16 }).setAuthTag(
    sealed.subarray(-16),
  )
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  // A delimiter ends the text: 2 in the last record.
  const end = padded.lastIndexOf(2)
  if (!padded.subarray(end + 1).every((byte) => byte === 0)) throw new Error('no delimiter')
  return padded.subarray(0, end).toString('utf8')
}
