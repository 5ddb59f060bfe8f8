import type { FastifyRequest } from 'fastify'
import type { App } from './app.ts'
import { BadRequest } from './errors.ts'

/** Whether PostgreSQL can keep a text: it takes no NUL, and its documents no half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** The first text of a value, however deep, that cannot be kept; its key where it has one. Takes no stack. */
function unstorable(value: unknown): string | null {
  const waiting: [key: string, value: unknown][] = [['', value]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [key, part] = next
    if (typeof part === 'string' && !isStorable(part)) return key
    if (typeof part !== 'object' || part === null || Buffer.isBuffer(part)) continue
    for (const [name, inside] of Object.entries(part)) {
      if (!isStorable(name)) return key
      waiting.push([Array.isArray(part) ? key : name, inside])
    }
  }
  return null
}

/** @throws BadRequest for a text that cannot be kept */
export function refuseUnstorable(value: unknown, field = ''): void {
  const key = unstorable(value)
  if (key === null) return
  const name = (key || field).replaceAll(/[^\w.-]/g, '').slice(0, 60)
  throw new BadRequest(
    'text',
    name,
    `${name === '' ? 'Un texte' : `Le champ « ${name} »`} contient un caractère nul ou incomplet. Le retirer, puis réessayer.`,
  )
}

/** Refuses such texts in the address and the body of every call, before anything is done with them. */
export function installTextRules(app: App): void {
  app.addHook('preValidation', async (request: FastifyRequest) => {
    refuseUnstorable(request.params)
    refuseUnstorable(request.query)
    refuseUnstorable(request.body)
  })
}
