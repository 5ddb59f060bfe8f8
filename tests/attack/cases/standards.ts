import { setTimeout as sleep } from 'node:timers/promises'
import type { Alerts, Job } from '@radx/contracts'
import { type AttackCase, tally, told, watch } from '../attack-case.ts'
import { type Caller, PAST_END_MS, PAST_MS, type Program, QUOTAS } from '../program.ts'

const DAY_MS = 86_400_000
const REPLAY_MS = 300_000
const iso = (ms: number) => new Date(ms).toISOString()
const SPAN = `${iso(PAST_MS)}/${iso(PAST_END_MS)}`
/** Inside a basin, so that whoever may look there may look at it. */
const INSIDE = 'POINT(2.66 48.54)'
const ZONE = { kind: 'zone', catchment: 'melun', subcatchment: null }
const RATE = { kind: 'rain-rate', product: 'dpsri', place: ZONE }

const edr = (query: 'position' | 'area' | 'cube', asked: Record<string, string>) =>
  `/ogc/edr/collections/dpsri/${query}?${new URLSearchParams({ datetime: SPAN, ...asked })}`
const features = (collection: string, asked: Record<string, string>) =>
  `/ogc/features/collections/${collection}/items?${new URLSearchParams(asked)}`
const multipoint = (count: number) =>
  `MULTIPOINT(${Array.from({ length: count }, () => '2.66 48.54').join(',')})`

/** Calls of the environmental data retrieval and what they are answered. */
const RETRIEVALS: [what: string, caller: Caller, path: string, wanted: number[]][] = [
  ['a place', 'user', edr('position', { coords: INSIDE }), [200]],
  ['a place, nobody', 'anonymous', edr('position', { coords: INSIDE }), [401]],
  [
    'now, forbidden',
    'restricted',
    edr('position', { coords: INSIDE, datetime: `${iso(Date.now() - DAY_MS)}/..` }),
    [403],
  ],
  ['cells, no manager', 'user', edr('area', { coords: 'POLYGON((2 48,3 48,3 49,2 48))' }), [403]],
  ['500 places', 'user', edr('position', { coords: multipoint(500) }), [400]],
  // Its head is larger than any that is read: the line may be cut before the answer is out.
  ['10,000 places', 'user', edr('position', { coords: multipoint(10_000) }), [0, 431]],
  ['nests', 'user', edr('position', { coords: `POINT${'('.repeat(2_000)}1 1${')'.repeat(2_000)}` }), [400]],
  ['half a bracket', 'user', edr('position', { coords: `POINT(${' '.repeat(3_900)}` }), [400]],
  ['no number', 'user', edr('position', { coords: 'POINT(NaN 48)' }), [400]],
  ['NUL', 'user', edr('position', { coords: 'POINT(2\0 48)' }), [400]],
  [
    'a list of times',
    'user',
    edr('position', { coords: INSIDE, datetime: `${iso(PAST_MS)},${iso(PAST_END_MS)}` }),
    [400],
  ],
  [
    'decades',
    'manager',
    edr('position', { coords: INSIDE, datetime: '1990-01-01T00:00:00Z/2026-01-01T00:00:00Z' }),
    [400],
  ],
  ['the year 0', 'manager', edr('position', { coords: INSIDE, datetime: '0000-01-01T00:00:00Z' }), [400]],
  ['the year 9999', 'manager', edr('position', { coords: INSIDE, datetime: '9999-12-31T23:59:59Z' }), [400]],
  ['a month of the year 0', 'manager', '/api/products/month/0000-01?p=dpsri', [400]],
  [
    'a period of the year 0',
    'manager',
    '/api/products/pixel?p=dpsri&s=0000-01-01T00:00:00Z&e=0000-01-02T00:00:00Z&lat=48.54&lng=2.66',
    [400],
  ],
  ['over the date line', 'manager', edr('cube', { bbox: '170,40,-170,60' }), [404]],
  ['upside down', 'manager', edr('cube', { bbox: '2,50,3,40' }), [400]],
  ['a collection of nobody', 'user', '/ogc/edr/collections/__proto__/position?coords=POINT(2 48)', [404]],
  ['features over the date line', 'user', features('catchments', { bbox: '170,40,-170,60' }), [200]],
  ['features upside down', 'user', features('catchments', { bbox: '2,50,3,40' }), [400]],
  ['features of nobody', 'user', features('__proto__', {}), [404]],
  ['features in no system', 'user', features('catchments', { crs: 'constructor' }), [400]],
  ['runs, nobody', 'anonymous', features('runs', {}), [401]],
  [
    'a catalogue of decades',
    'anonymous',
    '/ogc/stac/search?datetime=1990-01-01/2090-01-01&limit=999999',
    [200],
  ],
  ['a page of nobody', 'anonymous', '/ogc/stac/search?token=__proto__.1', [400]],
  ['a tile out of range', 'anonymous', '/ogc/maps/collections/dpsri/map/tiles/WebMercatorQuad/99/0/0', [404]],
  [
    'a tile of the archive, nobody',
    'anonymous',
    `/ogc/maps/collections/dpsri/map/tiles/WebMercatorQuad/8/88/129?datetime=${iso(PAST_MS)}`,
    [401],
  ],
  ['metrics, nobody', 'anonymous', '/metrics', [401]],
  ['metrics, no manager', 'user', '/metrics', [403]],
  ['metrics', 'manager', '/metrics', [200]],
]

const rule = (more: object = {}) => ({
  ...{ name: 'Règle', measure: RATE, threshold: 5, clear: 4, minMinutes: 0, severity: 'warning' },
  ...{ escalateMin: null, enabled: true, ...more },
})
/** Rules that are no rules. */
const RULES: [what: string, rule: object, wanted: number][] = [
  ['NUL', rule({ name: 'a\0b' }), 400],
  ['a long name', rule({ name: 'x'.repeat(101) }), 400],
  ['an end above its beginning', rule({ clear: 6 }), 400],
  ['an unknown product', rule({ measure: { ...RATE, product: 'constructor' } }), 404],
  ['another place', rule({ measure: { ...RATE, place: { ...ZONE, catchment: '../../etc' } } }), 404],
  ['a point outside', rule({ measure: { ...RATE, place: { kind: 'point', lat: 0, lng: 0 } } }), 403],
  ['a gauge of nobody', rule({ measure: { kind: 'gauge-stuck', gauge: "x' or 1=1", minutes: 60 } }), 400],
  ['a town of nobody', rule({ measure: { kind: 'no-cycle', catchmentId: '../x' } }), 404],
]
const replay = (fromMs: number, toMs: number) => ({
  rule: { measure: RATE, threshold: 5, clear: 4, minMinutes: 0 },
  ...{ start: iso(fromMs), end: iso(toMs) },
  event: { measure: RATE, threshold: 5, windowMin: 60 },
})

const send = (program: Program, caller: Caller, path: string, body: object, method = 'POST') =>
  program.call(caller, path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

export const hostileStandards: AttackCase = {
  name: 'standards: hostile places, times, rules and replays are refused, and floods of them held',
  async run({ program, long }) {
    const wrong: string[] = []
    const watched = await watch(program, '/healthz', 20)
    const statuses: number[] = []
    const held = async (what: string, wanted: number[], call: Promise<Response>) => {
      const status = await call.then(
        async (answer) => {
          await answer.arrayBuffer()
          return answer.status
        },
        () => 0,
      )
      statuses.push(status)
      if (!wanted.includes(status)) wrong.push(`${what}: ${status}`)
    }
    for (const [what, caller, path, wanted] of RETRIEVALS)
      await held(what, wanted, program.call(caller, path))
    for (const [what, body, wanted] of RULES)
      await held(`a rule with ${what}`, [wanted], send(program, 'user', '/api/alerts/rules', body))
    wrong.push(...(await floodOfRules(program, long ? 500 : 20)))
    wrong.push(...(await floodOfReplays(program, long ? 40 : 2)))
    const places = await Promise.all(
      Array.from({ length: long ? 300 : 40 }, (_, k) =>
        program
          .call(
            'user',
            edr('position', { coords: multipoint(12), datetime: `${iso(PAST_MS - k)}/${iso(PAST_END_MS)}` }),
          )
          .then(async (answer) => {
            await answer.arrayBuffer()
            return answer.status
          }),
      ),
    )
    const counts = tally(places)
    if (!counts[200] || Object.keys(counts).some((status) => !['200', '429'].includes(status)))
      wrong.push(`places at once were answered ${told(counts)}`)
    const { p99, worst, failed } = await watched.stop()
    if (failed > 0) wrong.push(`${failed} innocent calls failed`)
    return {
      load: `${statuses.length} hostile calls, ${long ? 500 : 20} rules, ${places.length} times 12 places at once`,
      worstMs: worst,
      outcome: `${told(tally(statuses))}; places ${told(counts)}; /healthz p99 ${p99} ms`,
      wrong,
    }
  },
}

/** As many rules as the quota has, whoever asks how often at once; those of others stay theirs. */
async function floodOfRules(program: Program, count: number): Promise<string[]> {
  const wrong: string[] = []
  const answers = await Promise.all(
    Array.from({ length: count }, (_, k) =>
      send(program, 'user', '/api/alerts/rules', rule({ name: `=HYPERLINK("x")<script>${k}` })),
    ),
  )
  const counts = tally(answers.map(({ status }) => status))
  const refused = (counts[409] ?? 0) + (counts[429] ?? 0)
  if (counts[200] !== QUOTAS.alerts || refused !== count - QUOTAS.alerts)
    wrong.push(`${count} rules at once, ${QUOTAS.alerts} are the quota: ${told(counts)}`)
  const { rules } = (await (await program.call('user', '/api/alerts')).json()) as Alerts
  const [{ id, version }] = rules
  const foreign = await send(program, 'manager', `/api/alerts/rules/${id}`, rule(), 'PUT')
  if (foreign.status !== 404) wrong.push(`another's rule was changed: ${foreign.status}`)
  const changes = await Promise.all(
    Array.from({ length: 8 }, (_, k) =>
      send(program, 'user', `/api/alerts/rules/${id}`, rule({ name: `n${k}`, version }), 'PUT'),
    ),
  )
  const changed = tally(changes.map(({ status }) => status))
  if (changed[200] !== 1 || changed[409] !== 7)
    wrong.push(`8 changes of one version at once: ${told(changed)}`)
  for (const one of rules) await program.call('user', `/api/alerts/rules/${one.id}`, { method: 'DELETE' })
  const again = await program.call('user', `/api/alerts/rules/${id}`, { method: 'DELETE' })
  if (again.status !== 404) wrong.push(`a rule was removed twice: ${again.status}`)
  return wrong
}

/** One replay of a user at a time, none of decades, none of forbidden dates. */
async function floodOfReplays(program: Program, count: number): Promise<string[]> {
  const wrong: string[] = []
  const path = '/api/job/alert-replay'
  const decades = await send(program, 'user', path, replay(PAST_MS - 3_650 * DAY_MS, PAST_MS))
  if (decades.status !== 400) wrong.push(`a replay of ten years: ${decades.status}`)
  const now = Date.now()
  const forbidden = await send(program, 'restricted', path, replay(now - DAY_MS, now))
  if (forbidden.status !== 403) wrong.push(`a replay of forbidden dates: ${forbidden.status}`)
  const answers = await Promise.all(
    Array.from({ length: count }, (_, k) =>
      send(program, 'user', path, replay(PAST_MS - 365 * DAY_MS + k, PAST_MS)),
    ),
  )
  const taken = answers.filter(({ ok }) => ok)
  const counts = tally(answers.map(({ status }) => status))
  if (taken.length === 0 || Object.keys(counts).some((status) => !['200', '429'].includes(status)))
    wrong.push(`${count} replays of a year at once: ${told(counts)}`)
  for (const answer of taken) {
    const { id } = (await answer.json()) as Job
    for (const end = Date.now() + REPLAY_MS; ; await sleep(100)) {
      const { status, error } = (await (await program.call('user', `/api/job/${id}`)).json()) as Job
      if (status === 'done') break
      if (status === 'error' || Date.now() > end) {
        wrong.push(`a replay of a year did not end: ${status} ${error ?? ''}`)
        break
      }
    }
  }
  return wrong
}
