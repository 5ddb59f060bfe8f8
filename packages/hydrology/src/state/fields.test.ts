import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '..')

/**
 * What is no state, by class or by the function whose variable it is: `fixed` is set once, `derived` is found anew before it is
 * looked at, or follows from what is kept. Everything else has to stand in the part's `visit`.
 */
const FIXED_OR_DERIVED: Record<string, { fixed?: string; derived?: string }> = {
  Simulation: { fixed: 'surface sewer coupling pour', derived: 'onSewerMoved rain deferred unseenS' },
  Coupling: {
    fixed: 'mismatches openings starts cells depthAt crests shares drained dryLevels surface sewer',
  },
  // Rain is set anew.
  SurfaceMeasures: { fixed: 'sites surface cellM2', derived: 'rates left' },
  Surface: {
    fixed:
      'grid activeCells layout kernel area padded interceptionStart insideCells liveInside water outside',
    // Two of the rain, which is set anew; `before` of runs that begin with another's water, of which no state is made.
    derived: 'rateSum raining before',
  },
  StepLength: { fixed: 'layout kernel mostHalvings', derived: 'ratio' },
  Crests: { fixed: 'layout kernel changeDepth friction' },
  Boundaries: { fixed: 'layout kernel addDepth' },
  Drained: { fixed: 'outlets areaM2' },
  Levels: { fixed: 'layout across', derived: 'deepM speedMS' },
  // The parts of a step in time.
  Parts: { derived: 'stepS halvings part' },
  HazardMaps: { fixed: 'deep' },
  // Lists that largest depths fill again.
  DeepCells: {
    fixed: 'input leastEverM slots',
    derived: 'count cells depthM eastMS northMS rest restCount ever everCount',
  },
  SewerInTime: {
    fixed:
      'network nodeIndex linkIndex groundElevations invertElevations linkFullDepths crowns openingAreas longestStepS engine peaksOverS',
    // Of the rooms of the engine, and of the caller's step.
    derived:
      'heads depths volumes flows settings surfaceLevels floodVolumes outfallVolumes lateralVolumes counts stepS leftS endS isGiven shownS fresh fitting swings',
  },
  NetworkStep: { fixed: 'input whole seeps', derived: 'bendM lostM3 apart seeds unmet tooBent' },
  NodeBalances: { fixed: 'kernel devices reaches plan rims' },
  Rims: { fixed: 'plan state aboveStart above', derived: 'overAt overArea overCount' },
  PartsAgain: {
    fixed: 'plan kernel newton entry loops pipes',
    derived: 'inside conduitInside whole bendM kept all parts order found taken',
  },
  Kept: { derived: 'nodes conduits' },
  Volumes: { fixed: 'input' },
  Devices: {
    fixed: 'count link from to network plan outfallGate laws gated',
    derived: 'frozen',
  },
  Rules: { fixed: 'network view' },
  LinkValues: { fixed: 'network view conduitOf' },
  SewerStepError: { fixed: 'name' },
  SewerNetworkError: { fixed: 'name' },
  // Of `radx sewer`, whose runs no state is made of.
  Statistics: {
    derived:
      'node link maxOutfall reports sewer crown arriving leaving isOn facts compiled storage outfalls pumps',
  },
  createFullKernel: { fixed: 'drains drainState' },
  createStagedFlow: { fixed: 'edges' },
  createFirstOrder: { fixed: 'edges passed' },
  createReferenceKernel: { fixed: 'drains drainState' },
  // Steps until rows are shared out anew among threads; row maxima stand in the memory's list.
  createSimdKernel: { derived: 'steps rowMax' },
  createWasmEngine: { fixed: 'next' },
  roomIn: { fixed: 'next' },
  fillEdges: { fixed: 'row starts' },
  indexOf: { fixed: 'index' },
  createOutfalls: { fixed: 'conduitAt' },
  layOutSections: { fixed: 'rows index' },
  planElimination: { fixed: 'position', derived: 'inverses' },
  createInflows: { fixed: 'series', derived: 'volume' },
  initialHeads: { fixed: 'sums counts' },
  nodeVolumes: { fixed: 'total first intervals perMetre rows' },
  planSewer: { fixed: 'unknownOf pairOfLink nodeOf positionOf lengths' },
  tabulateSections: { fixed: 'known' },
  closingDepths: { fixed: 'crowns' },
  layOutAreas: { fixed: 'index' },
  // What stays of links.
  facts: { fixed: 'from to' },
  highestCrowns: { fixed: 'crown' },
  power: { fixed: 'lengths' },
  monotone: { fixed: 'slope' },
  // Where the last moment lay: looked for elsewhere when the next one lies elsewhere.
  integral: { fixed: 'sums', derived: 'i' },
  rateOf: { derived: 'i' },
}

interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

/** Fields of classes, and variables of functions that functions within them go on to use, each with the text of its `visit`. */
function mutable(path: string): { owner: string; name: string; visit: string }[] {
  const text = readFileSync(join(src, path), 'utf8')
  const found: { owner: string; name: string; visit: string }[] = []
  const nameOf = (node: unknown) => (node as { name?: string } | null)?.name ?? ''
  const textOf = (node: Node) => text.slice(node.start, node.end)
  const within = (value: unknown, look: (node: Node) => boolean): Node[] => {
    if (Array.isArray(value)) return value.flatMap((item) => within(item, look))
    if (value === null || typeof value !== 'object') return []
    const node = value as Node
    const own = typeof node.type === 'string' && look(node) ? [node] : []
    return [...own, ...Object.values(node).flatMap((item) => within(item, look))]
  }
  const program = parseSync(path, text).program
  for (const one of within(program, ({ type }) => type === 'ClassDeclaration')) {
    const members = (one.body as { body: Node[] }).body
    const visit = members.find((node) => node.type === 'MethodDefinition' && nameOf(node.key) === 'visit')
    for (const field of members.filter(({ type }) => type === 'PropertyDefinition'))
      if (!field.static && (field.value as Node | null)?.type !== 'ArrowFunctionExpression')
        found.push({ owner: nameOf(one.id), name: nameOf(field.key), visit: visit ? textOf(visit) : '' })
  }
  /** What changes although its variable does not. */
  const isStore = (init: Node | null) =>
    init !== null && /^(new (\w+Array|Map|Set)\b|(f64|zero|byNode|byLink|room\.\w+)\()/.test(textOf(init))
  const isFunction = ({ type }: Node) => /^(Function|Arrow)/.test(type)
  for (const one of within(program, ({ type }) => type === 'FunctionDeclaration')) {
    const body = (one.body as { body: Node[] }).body
    const inner = within(body, isFunction).map(textOf)
    const visit = within(body, (node) => nameOf(node.key) === 'visit')
      .map(textOf)
      .join()
    for (const line of body.filter(({ type }) => type === 'VariableDeclaration'))
      for (const { id, init } of line.declarations as { id: unknown; init: Node | null }[])
        if (
          (line.kind === 'let' || isStore(init)) &&
          inner.some((code) => new RegExp(`\\b${nameOf(id)}\\b`).test(code))
        )
          found.push({ owner: nameOf(one.id), name: nameOf(id), visit })
  }
  return found
}

/** Rooms of the engine that runs on the platform have. */
const ROOMS = ['surface', 'sewer', 'coupling', 'soil', 'balance', 'measures']
const sources = [
  'simulation.ts',
  ...ROOMS.flatMap((room) =>
    readdirSync(join(src, room), { recursive: true, withFileTypes: true })
      .map((entry) => relative(src, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter((path) => path.endsWith('.ts') && !path.includes('.test.') && !path.includes('/testing/'))
      // Of `radx sewer`, whose runs no state is made of: its visit refuses.
      .filter((path) => !path.startsWith('sewer/explicit/')),
  ),
]
const all = sources.flatMap((path) => mutable(path).map((one) => ({ path, ...one })))
const stated = (owner: string) =>
  Object.values(FIXED_OR_DERIVED[owner] ?? {}).flatMap((names) => names.split(' '))

test('whatever the engine can change stands in the list of its part, or is said to be none of its state', () => {
  const forgotten = all.filter(
    ({ owner, name, visit }) => !new RegExp(`\\b${name}\\b`).test(visit) && !stated(owner).includes(name),
  )
  expect(forgotten.map(({ path, owner, name }) => `${path}: ${owner}.${name}`)).toEqual([])
  expect(all.length).toBeGreaterThan(150)
})

test('what is said to be none of a part’s state is there', () => {
  const known = new Map(all.map((one) => [`${one.owner}.${one.name}`, one]))
  const wrong = Object.keys(FIXED_OR_DERIVED).flatMap((owner) =>
    stated(owner)
      .map((name) => `${owner}.${name}`)
      .filter((name) => !known.has(name)),
  )
  expect(wrong).toEqual([])
})
