import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NETWORK_UNPACKED_MAX } from '@radx/contracts'
import { zipSync } from 'fflate'
import { MODEL } from '../../../apps/server/src/networks/testing/model.ts'
import { type AttackCase, tally, told, watch } from '../attack-case.ts'
import { type Caller, type Program, QUOTAS } from '../program.ts'

const MIB = 2 ** 20
const RUN_MS = 300_000

interface Kept {
  id: string
  version: number
}

const upload = (program: Program, caller: Caller, name: string, body: string | Uint8Array<ArrayBuffer>) =>
  program.call(caller, `/api/networks?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body,
  })

/** A network of a user and a finished run of it. */
export async function networkRun(program: Program): Promise<{ id: string; jobId: string }> {
  const kept = await upload(program, 'user', 'attaque.inp', MODEL)
  if (!kept.ok) throw new Error(`the network was refused: ${await kept.text()}`)
  const { id, version } = (await kept.json()) as Kept
  const begun = await program.call('user', `/api/networks/${id}/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ version, rain: { kind: 'own' } }),
  })
  if (!begun.ok) throw new Error(`its run was refused: ${await begun.text()}`)
  const jobId = ((await begun.json()) as { id: string }).id
  for (const limit = Date.now() + RUN_MS; Date.now() < limit; await sleep(100)) {
    const answer = await program.call('user', `/api/networks/runs/${jobId}`)
    const { status, error } = (await answer.json()) as { status: string; error: string | null }
    if (status === 'done') return { id, jobId }
    if (status === 'error') throw new Error(`its run failed: ${error}`)
  }
  throw new Error('its run did not end')
}

/** What is read of a network and a run of it. */
export const networkPaths = ({ id, jobId }: { id: string; jobId: string }): string[] => [
  ...['model', 'profile?start=J1&end=O1', 'files/attaque.inp', `profile?start=J1&end=O1&run=${jobId}`].map(
    (part) => `/api/networks/${id}/versions/1/${part}`,
  ),
  ...[
    'peaks',
    'curves?of=link&what=flow&names=C1',
    'files/links.csv',
    'files/resultats.out',
    'files/resultats.rpt',
    'files/reseau.gpkg',
    'files/run.json',
    `compare?with=${jobId}`,
  ].map((part) => `/api/networks/runs/${jobId}/${part}`),
]

/** Small files that open to more than is taken, too many of them, two models, names that lead elsewhere. */
function bombs(): [what: string, body: Uint8Array<ArrayBuffer>][] {
  const zeros = new Uint8Array(NETWORK_UNPACKED_MAX + MIB)
  const model = new TextEncoder().encode(MODEL)
  const many = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, k) => [`pluie${k}.dat`, model.slice(0, 1)]),
  )
  return [
    ['a bomb', zipSync({ 'a.inp': model, 'b.dat': zeros })],
    ['thousands of files', zipSync({ 'a.inp': model, ...many }, { level: 0 })],
    ['two models', zipSync({ 'a.inp': model, 'b.inp': model })],
    ['half a zip', zipSync({ 'a.inp': model, 'b.dat': zeros.subarray(0, MIB) }).slice(0, 700)],
    ['no network', new TextEncoder().encode('[JUNCTIONS]\n'.repeat(50_000))],
  ]
}

export const hostileNetworks: AttackCase = {
  name: 'networks: bombs are refused, quotas hold, and others read nothing of them',
  async run({ program }) {
    const wrong: string[] = []
    const watched = await watch(program)
    const statuses: number[] = []
    for (const [what, body] of bombs()) {
      const { status } = await upload(program, 'user', `${what}.zip`, body)
      statuses.push(status)
      if (status !== 422) wrong.push(`${what}: ${status}`)
    }
    for (const name of ['a\0b.inp', '', 'x'.repeat(500)]) {
      const { status } = await upload(program, 'user', name, MODEL)
      if (status !== 400) wrong.push(`the name ${JSON.stringify(name.slice(0, 20))}: ${status}`)
    }
    const run = await networkRun(program)
    for (const path of networkPaths(run)) {
      const [mine, restricted, nobody] = await Promise.all(
        (['user', 'restricted', 'anonymous'] as const).map((caller) => program.call(caller, path)),
      )
      await Promise.all([mine, restricted, nobody].map((answer) => answer.arrayBuffer()))
      if (!mine.ok) wrong.push(`${path} answered ${mine.status} to its owner`)
      if (restricted.status !== 403 || nobody.status !== 401)
        wrong.push(`${path} answered ${restricted.status} to another and ${nobody.status} to nobody`)
    }
    const many = await Promise.all(
      Array.from({ length: 12 }, (_, k) => upload(program, 'user', `n${k}.inp`, `${MODEL}\n;; ${k}\n`)),
    )
    const counts = tally(many.map(({ status }) => status))
    if (Object.keys(counts).some((status) => !['200', '409', '429'].includes(status)))
      wrong.push(`networks at once were answered ${told(counts)}`)
    const kept = (await (await program.call('user', '/api/networks')).json()) as Kept[]
    if (kept.length > QUOTAS.networks)
      wrong.push(`${kept.length} were kept, ${QUOTAS.networks} are the quota`)
    for (const { id } of kept) await program.call('user', `/api/networks/${id}`, { method: 'DELETE' })
    for (const folder of ['networks', 'uploads', 'staging']) {
      const left = namesIn(join(program.dataDir, folder))
      if (left.length > 0) wrong.push(`${folder} still has ${left.slice(0, 3)}`)
    }
    const { worst, failed } = await watched.stop()
    if (failed > 0) wrong.push(`${failed} innocent calls failed`)
    return {
      load: `${statuses.length} bombs, 12 networks at once`,
      worstMs: worst,
      outcome: `${told(tally(statuses))}; ${told(counts)}`,
      wrong,
    }
  },
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
