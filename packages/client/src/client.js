/** A call that the server refused: what it says of it stands in the message, in French. */
export class RadxRefused extends Error {
  name = 'RadxRefused'

  /** @param {number} status @param {{ code?: string, message?: string, details?: object }} body */
  constructor(status, body) {
    super(body.message ?? `La requête a échoué avec le code ${status}`)
    this.status = status
    this.code = body.code ?? null
    this.details = body.details ?? {}
  }
}

/** See client.d.ts. Runs in browsers and in Node as it is. */
export class RadxClient {
  #address
  #token
  #fetch

  constructor({ address, token = null, fetch = globalThis.fetch }) {
    this.#address = String(address).replace(/\/+$/, '')
    this.#token = token
    this.#fetch = (...given) => fetch(...given)
  }

  async call(call, given = {}) {
    const answer = await this.fetch(call, given)
    return (answer.headers.get('content-type') ?? '').includes('json') ? answer.json() : undefined
  }

  async fetch(call, { path = {}, query = {}, body, signal } = {}) {
    const [method, template] = call.split(' ')
    const place = template.replace(/\{(\w+)\}/g, (_, name) => {
      if (path[name] === undefined) throw new TypeError(`${call} needs path.${name}`)
      return encodeURIComponent(path[name])
    })
    const url = new URL(this.#address + place)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value))
    const isPlain = body === undefined || body instanceof FormData || body instanceof Blob
    const answer = await this.#fetch(url, {
      method,
      signal,
      // Never in the address, which others write down.
      headers: {
        ...(this.#token && { authorization: `Bearer ${this.#token}` }),
        ...(!isPlain && { 'content-type': 'application/json' }),
      },
      body: isPlain ? body : JSON.stringify(body),
    })
    if (answer.ok) return answer
    throw new RadxRefused(answer.status, await answer.json().catch(() => ({})))
  }
}
