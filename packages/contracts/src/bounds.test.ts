import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { unbounded } from './testing/unbounded.ts'

const files = readdirSync(import.meta.dirname).filter((name) => /^(?!index|.*\.test)[a-z-]+\.ts$/.test(name))

test.each(files)('no text and no list of %s is without a bound', async (file) => {
  const exported = (await import(join(import.meta.dirname, file))) as Record<string, unknown>
  const schemas = Object.entries(exported).filter(([, value]) => value instanceof z.ZodType)
  const found = schemas.flatMap(([name, schema]) =>
    (['input', 'output'] as const).flatMap((io) =>
      unbounded(z.toJSONSchema(schema as z.ZodType, { io, unrepresentable: 'any', reused: 'inline' }), name),
    ),
  )
  expect([...new Set(found)]).toEqual([])
})

test('a text and a list without a bound are found, wherever they stand', () => {
  const open = z.object({ a: z.string(), b: z.union([z.null(), z.object({ c: z.array(z.int()) })]) })
  expect(unbounded(z.toJSONSchema(open), 'x')).toHaveLength(2)
})
