/** Number of a node or link by its name; -1 for one that is not there. */
export function indexOf(items: { name: string }[]): (name: string) => number {
  const index = new Map(items.map((item, i) => [item.name, i]))
  return (name) => index.get(name) ?? -1
}
