import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** What a test may forge. */
export interface Forgery {
  origin?: string
  host?: string
  /** User present and user verified, and for a new passkey the mark of attested data. */
  flags?: number
  counter?: number
  type?: string
  /** Signs in the place of the passkey's own key. */
  key?: KeyObject
  challenge?: string
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const ATTESTED = 0x40
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const text64 = (data: Buffer) => data.toString('base64url')

/** An authenticator with one passkey (P-256), as in a telephone, for `http://localhost`. */
export class Authenticator {
  readonly id = text64(randomBytes(16))
  private readonly pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  private counter = 0

  /** Answers the options of a registration, as `navigator.credentials.create` would. */
  register(options: string, forged: Forgery = {}) {
    const { challenge } = JSON.parse(options) as { challenge: string }
    const { x, y } = this.pair.publicKey.export({ format: 'jwk' })
    const cose = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
      Buffer.from(x as string, 'base64url'),
      Buffer.from([0x22, 0x58, 0x20]),
      Buffer.from(y as string, 'base64url'),
    ])
    const id = Buffer.from(this.id, 'base64url')
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
    const flags = USER_PRESENT | USER_VERIFIED | ATTESTED
    const data = Buffer.concat([this.head({ flags, ...forged }), attested])
    const attestationObject = Buffer.concat([
      // A map of three: fmt none, no statement, and the authenticator's data.
      Buffer.from([0xa3, 0x63, ...Buffer.from('fmt'), 0x64, ...Buffer.from('none')]),
      Buffer.from([0x67, ...Buffer.from('attStmt'), 0xa0]),
      Buffer.from([0x68, ...Buffer.from('authData'), 0x58, data.length]),
      data,
    ])
    return this.credential({
      clientDataJSON: text64(clientData('webauthn.create', challenge, forged)),
      attestationObject: text64(attestationObject),
    })
  }

  /** Answers the options of a login, as `navigator.credentials.get` would. */
  signIn(options: string, forged: Forgery = {}) {
    const { challenge } = JSON.parse(options) as { challenge: string }
    this.counter++
    const data = this.head({ flags: USER_PRESENT | USER_VERIFIED, counter: this.counter, ...forged })
    const client = clientData('webauthn.get', challenge, forged)
    const signature = sign(
      'sha256',
      Buffer.concat([data, sha256(client)]),
      forged.key ?? this.pair.privateKey,
    )
    return this.credential({
      clientDataJSON: text64(client),
      authenticatorData: text64(data),
      signature: text64(signature),
    })
  }

  private head({ host = 'localhost', flags = 0, counter = 0 }: Forgery): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(host), Buffer.from([flags]), count])
  }

  private credential<T>(response: T) {
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key' as const,
      clientExtensionResults: {},
      response,
    }
  }
}

const clientData = (type: string, challenge: string, forged: Forgery): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: forged.type ?? type,
      challenge: forged.challenge ?? challenge,
      origin: forged.origin ?? 'http://localhost',
      crossOrigin: false,
    }),
  )
