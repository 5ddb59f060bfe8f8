interface JsonSchema {
  [key: string]: unknown
}

/** Places of a schema where a text or a list may be of any length. */
export function unbounded(schema: unknown, at: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((part, k) => unbounded(part, `${at}[${k}]`))
  if (typeof schema !== 'object' || schema === null) return []
  const node = schema as JsonSchema
  const own: string[] = []
  const types = [node.type].flat()
  const closed = ['enum', 'const', 'maxLength', 'format', 'pattern'].some((key) => key in node)
  if (types.includes('string') && !closed) own.push(`${at}: text without a longest`)
  const tuple = 'prefixItems' in node && (node.items === undefined || node.items === false)
  if (types.includes('array') && !('maxItems' in node) && !tuple) own.push(`${at}: list without an end`)
  const below = Object.entries(node).flatMap(([key, part]) =>
    key === 'enum' || key === 'const' || key === 'default' ? [] : unbounded(part, `${at}.${key}`),
  )
  return [...own, ...below]
}
