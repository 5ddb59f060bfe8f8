/** The best encoding of what the client takes: zstd, gzip, or none. */
export function encodingFor(accept: string | undefined): 'zstd' | 'gzip' | 'identity' {
  const taken = new Map(
    (accept ?? '').split(',').map((part) => {
      const [name, ...parameters] = part.trim().toLowerCase().split(';')
      const q = parameters.map((p) => /^\s*q=([\d.]+)$/.exec(p)?.[1]).find((found) => found !== undefined)
      return [name.trim(), q === undefined ? 1 : Number(q)] as const
    }),
  )
  const takes = (name: string) => (taken.get(name) ?? taken.get('*') ?? 0) > 0
  return takes('zstd') ? 'zstd' : takes('gzip') ? 'gzip' : 'identity'
}
