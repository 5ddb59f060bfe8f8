import { threadLibrary } from '../simulation/api.ts'
import type { AnswerContext, AnswerKind } from '../threads/answers.ts'
import { type Cycle, Cycles } from './cycles.ts'
import { CycleNotFound, CycleResults, headOf } from './results.ts'

/** What is read of a finished cycle; the work is its catchment's size. */
export type AheadPart =
  | { of: 'cycle' }
  | { of: 'network' }
  | { of: 'chances'; depthMm: number }
  | { of: 'cell'; cell: number }
  | { of: 'element'; kind: 'link' | 'node'; name: string }

type AheadAsked = { catchmentId: string; issued: string } & AheadPart

/** An answer about a cycle, as the bytes that are sent. @throws CycleNotFound, StoreCorruptError */
export const aheadAnswer: AnswerKind<AheadAsked, { body: Uint8Array }> = {
  name: 'ahead',
  async run({ db, store, config }: AnswerContext, asked) {
    const cycle = await new Cycles(db).at(asked.catchmentId, new Date(asked.issued))
    if (!cycle) throw new CycleNotFound()
    const results = new CycleResults(store, threadLibrary(db, config))
    if (asked.of === 'chances') return { body: await results.chances(cycle, asked.depthMm) }
    return { body: new TextEncoder().encode(JSON.stringify(await partOf(results, cycle, asked))) }
  },
}

async function partOf(results: CycleResults, cycle: Cycle, asked: Exclude<AheadPart, { of: 'chances' }>) {
  switch (asked.of) {
    case 'cycle':
      return { ...headOf(cycle), ...(await results.whole(cycle)) }
    case 'network':
      return results.network(cycle)
    case 'cell':
      return results.cellFan(cycle, asked.cell)
    case 'element':
      return results.elementFan(cycle, asked.kind, asked.name)
  }
}
