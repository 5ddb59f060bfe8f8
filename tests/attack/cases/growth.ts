import { setTimeout as sleep } from 'node:timers/promises'
import type { LuseData, LuseFile } from '@radx/contracts/simulation'
import {
  formDataOf,
  runFields,
  virtualRainFields,
} from '../../../apps/server/src/simulation/testing/run-form.ts'
import { type AttackCase, tally, told } from '../attack-case.ts'
import { CATCHMENT, type Caller, type Program, QUOTAS } from '../program.ts'

const json = async <T>(answer: Promise<Response>): Promise<T> => (await (await answer).json()) as T
const FILES = `/api/multihydro/files?c=${CATCHMENT}&n=luse.asc`

/** Fields of a run on a land use with one painted cell, which makes a file of its own. */
async function paintedForm(program: Program): Promise<(k: number) => FormData> {
  const files = await json<LuseFile[]>(program.call('user', FILES))
  const luseId = files[0]._id
  const { codes = [] } = await json<LuseData>(
    program.call('user', `/api/multihydro/file/${luseId}/dataJson?allCodes=true`),
  )
  return (k) =>
    formDataOf({
      ...runFields({ catchmentId: CATCHMENT, luseId, codes }),
      ...virtualRainFields({ d: 10, t: 3, iMax: 10, calmAfter: 1 }),
      title: `Envoi ${k}`,
      luseUpdates: JSON.stringify([{ i: 3, j: 2 + (k % 5), value: 2 }]),
    })
}

const put = (program: Program, path: string, body: object) =>
  program.call('user', path, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const ownGauge = (k: number) => ({
  csv: `Date;Poste;Longitude;Latitude;Pluie (mm)\n2026-01-01 10:00;P${k};2,65;48,54;0,2\n`,
})
const ownTable = (k: number) => ({
  name: `T${k}`,
  units: 'mm-min',
  source: { laws: [{ periodYears: 10, fromMin: 6, toMin: 60, a: 5, b: 0.6 }] },
})

async function ended(program: Program, ids: readonly string[]): Promise<void> {
  for (const id of ids)
    for (let k = 0; k < 3_000; k++) {
      const { status } = await json<{ status: string }>(program.call('user', `/api/job/${id}`))
      if (status === 'done' || status === 'error') break
      await sleep(100)
    }
}

export const endlessRuns: AttackCase = {
  name: 'growth: refused submissions leave nothing, quotas hold, and what is deleted is gone with its files',
  async run({ program }) {
    const wrong: string[] = []
    const form = await paintedForm(program)
    const submit = (caller: Caller, k: number) =>
      program.call(caller, '/api/job/multihydro', { method: 'POST', body: form(k) })
    const statuses: number[] = []
    const ids: string[] = []
    const flood = async (count: number) => {
      for (let k = 0; k < count; k++) {
        const answer = await submit('user', statuses.length)
        statuses.push(answer.status)
        if (answer.ok) ids.push(((await answer.json()) as { jobId: string }).jobId)
      }
    }
    const own = async () => (await json<LuseFile[]>(program.call('user', FILES))).length - 1
    await flood(26)
    await ended(program, ids)
    await flood(10)
    await ended(program, ids)
    await flood(10)
    if (ids.length !== QUOTAS.runs) wrong.push(`${ids.length} runs were taken, ${QUOTAS.runs} are the quota`)
    if ((await own()) !== ids.length) wrong.push(`${ids.length} runs left ${await own()} land uses`)
    const last = await submit('user', 99)
    if (last.status !== 409) wrong.push(`over the quota: ${last.status}`)
    if (!statuses.every((status) => [200, 429, 409].includes(status)))
      wrong.push(`a submission was answered otherwise: ${told(tally(statuses))}`)

    const remove = async (caller: Caller, path: string, wanted: number) => {
      const { status } = await program.call(caller, path, { method: 'DELETE' })
      if (status !== wanted) wrong.push(`${caller} deletes ${path}: ${status} instead of ${wanted}`)
    }
    const [first, second] = ids
    const [used] = (await json<LuseFile[]>(program.call('user', FILES))).slice(1)
    const [reference] = await json<LuseFile[]>(program.call('user', FILES))
    await remove('anonymous', `/api/job/${first}`, 401)
    await remove('restricted', `/api/job/${first}`, 403)
    await remove('user', `/api/multihydro/file/${used._id}`, 409)
    await remove('manager', `/api/multihydro/file/${reference._id}`, 403)
    await remove('user', `/api/job/${first}`, 204)
    await remove('user', `/api/job/${first}`, 404)
    await remove('manager', `/api/job/${second}`, 204)
    if ((await own()) !== QUOTAS.runs - 2) wrong.push(`the land uses of deleted runs stayed: ${await own()}`)
    const freed = await submit('user', 100)
    if (freed.ok) ids.push(((await freed.json()) as { jobId: string }).jobId)
    else wrong.push('a deleted run freed no room')
    await ended(program, ids.slice(2))
    // Whoever comes next finds room.
    for (const id of ids.slice(2)) await remove('user', `/api/job/${id}`, 204)

    const dates = { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' }
    const events = await Promise.all(
      Array.from({ length: QUOTAS.events + 15 }, (_, k) =>
        put(program, '/api/users/events', { title: `É${k}`, product: 'dpsri', selectionDates: dates }),
      ),
    )
    const saved = events.filter(({ ok }) => ok).length
    if (saved !== QUOTAS.events)
      wrong.push(`${saved} of ${events.length} events at once were saved, ${QUOTAS.events} are the quota`)
    for (const [path, body, most] of [
      ['/api/gauges', ownGauge, QUOTAS.gauges],
      ['/api/storms/tables', ownTable, QUOTAS.tables],
    ] as const) {
      const answers = await Promise.all(Array.from({ length: 12 }, (_, k) => put(program, path, body(k))))
      const counts = tally(answers.map(({ status }) => status))
      if (counts[200] !== most || counts[409] !== 12 - most)
        wrong.push(`12 at once of ${path}, ${most} are the quota: ${told(counts)}`)
    }
    const dry = await program.radx(['prune', '--dry-run'])
    if (dry.code !== 0 || !dry.out.includes('à retirer'))
      wrong.push(`prune --dry-run: ${dry.code} ${dry.out}`)
    return {
      load: `${statuses.length} submissions, ${events.length} events, 12 gauges and tables`,
      worstMs: null,
      outcome: told(tally(statuses)),
      wrong,
    }
  },
}

export const longLists: AttackCase = {
  name: 'lists: pages hold everything once, whatever is added meanwhile, and no limit opens them',
  async run({ program: shared, start, long }) {
    const wrong: string[] = []
    const count = long ? 300 : 25
    // More than the quota of the program that is shared.
    const program = long ? await start({ holding: ['catchment'] }) : shared
    const put = (k: number) =>
      program.call('restricted', '/api/users/events', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          title: `Liste ${k}`,
          product: 'dpsri',
          selectionDates: { start: '2019-01-01T00:00:00Z', end: '2019-01-02T00:00:00Z' },
        }),
      })
    for (let k = 0; k < count; k++) await put(k)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const at: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const answer = await program.call('restricted', `/api/users/events?limit=10${at}`)
      seen.push(...((await answer.json()) as { title: string }[]).map(({ title }) => title))
      cursor = answer.headers.get('radx-next')
      if (seen.length === 10) await put(1_000)
    }
    if (seen.length !== count || new Set(seen).size !== count)
      wrong.push(`${seen.length} items were listed, ${new Set(seen).size} different ones, of ${count}`)
    const odd: [string, number][] = [
      ['limit=0', 400],
      ['limit=501', 400],
      ['limit=1e9', 400],
      ['limit=-1', 400],
      ["cursor=1';drop table job", 400],
      ['cursor=99999999999999999.00000000-0000-4000-8000-000000000000', 400],
      ['cursor=0.00000000-0000-4000-8000-000000000000', 200],
    ]
    for (const [query, wanted] of odd)
      for (const path of ['/api/users/events?', '/api/jobs/multihydro?', `${FILES}&`]) {
        const { status } = await program.call('user', path + query)
        if (status !== wanted) wrong.push(`${path}${query}: ${status} instead of ${wanted}`)
      }
    return { load: `${count} events by tens`, worstMs: null, outcome: 'each listed once', wrong }
  },
}
