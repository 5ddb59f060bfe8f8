/** As much of a JSON schema as contracts come to. */
interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  nullable?: boolean
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema | Schema[]
  prefixItems?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

interface Operation {
  summary?: string
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, { schema?: Schema }> }
  responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>
}

/** An OpenAPI document as the server makes it of its contracts. */
export interface OpenApi {
  paths: Record<string, Record<string, Operation>>
}

const HEADER = `// Made from the server's own description of its calls (/api/openapi.json); packages/client/README.md says how.

/** Every call by method and path: what it takes and what it answers. */
export interface Calls {
`

/** The types of all calls as a TypeScript declaration, the same for the same description. */
export function declarationOf({ paths }: OpenApi): string {
  const calls = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => ({ name: `${method.toUpperCase()} ${path}`, one })),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  return `${HEADER}${calls.map(({ name, one }) => callType(name, one)).join('')}}\n`
}

function callType(
  name: string,
  { summary, parameters = [], requestBody, responses = {} }: Operation,
): string {
  const lines: string[] = []
  for (const place of ['path', 'query']) {
    const own = parameters.filter((one) => one.in === place)
    if (own.length === 0) continue
    const required = own.filter((one) => one.required).map((one) => one.name)
    const properties = Object.fromEntries(own.map((one) => [one.name, one.schema]))
    const type = typeOf({ type: 'object', properties, required, additionalProperties: false }, 2)
    lines.push(`    ${place}${required.length > 0 ? '' : '?'}: ${type}`)
  }
  const body = requestBody?.content['application/json']?.schema
  if (body) lines.push(`    body${requestBody.required ? '' : '?'}: ${typeOf(body, 2)}`)
  else if (requestBody) lines.push('    body?: FormData | Blob')
  const [, good] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const answer = good?.content?.['application/json']?.schema
  lines.push(`    answer: ${answer ? typeOf(answer, 2) : 'unknown'}`)
  const told = summary ? `  /** ${summary.replaceAll('*/', '* /')} */\n` : ''
  return `${told}  ${JSON.stringify(name)}: {\n${lines.join('\n')}\n  }\n`
}

function typeOf(schema: Schema, depth: number): string {
  const type = bareType(schema, depth)
  return schema.nullable && type !== 'unknown' && type !== 'null' ? `${inUnion(type)} | null` : type
}

function bareType(schema: Schema, depth: number): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const either = schema.anyOf ?? schema.oneOf
  if (either) return [...new Set(either.map((one) => inUnion(typeOf(one, depth))))].join(' | ')
  if (schema.allOf) return schema.allOf.map((one) => inUnion(typeOf(one, depth))).join(' & ')
  if (Array.isArray(schema.type))
    return schema.type.map((type) => inUnion(typeOf({ ...schema, type }, depth))).join(' | ')
  switch (schema.type) {
    case 'string':
      return schema.format === 'binary' ? 'Blob' : 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
    case 'null':
      return schema.type
    case 'array':
      return arrayType(schema, depth)
    case 'object':
      return objectType(schema, depth)
    default:
      return 'unknown'
  }
}

function arrayType({ items, prefixItems }: Schema, depth: number): string {
  const tuple = prefixItems ?? (Array.isArray(items) ? items : null)
  if (tuple) return `[${tuple.map((one) => typeOf(one, depth)).join(', ')}]`
  return `${inUnion(items ? typeOf(items as Schema, depth) : 'unknown')}[]`
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, depth: number): string {
  const pad = '  '.repeat(depth)
  const names = Object.keys(properties)
  if (names.length === 0) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, depth) : 'unknown'
    return `Record<string, ${value}>`
  }
  const lines = names.map((name) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
    return `${pad}  ${key}${required.includes(name) ? '' : '?'}: ${typeOf(properties[name], depth + 1)}`
  })
  return `{\n${lines.join('\n')}\n${pad}}`
}

/** A type as a member of another: in brackets where it is a union itself. */
const inUnion = (type: string): string => (isUnion(type) ? `(${type})` : type)

function isUnion(type: string): boolean {
  let depth = 0
  // What stands in texts does not count.
  for (const sign of type.replace(/"(?:[^"\\]|\\.)*"/g, '""'))
    if ('{[(<'.includes(sign)) depth++
    else if ('}])>'.includes(sign)) depth--
    else if (depth === 0 && '|&'.includes(sign)) return true
  return false
}
