import { type AttackCase, tally, told, watch } from '../attack-case.ts'

export const manyCharts: AttackCase = {
  name: 'event loop: charts of one user do not hold up the others',
  async run({ program, long }) {
    const each = long ? 200 : 150
    // A table is made as a chart is, and faster.
    const call = long ? 'graph?t=hyetogram&' : 'hyetogram.csv?'
    const end = Date.now()
    const chart = (caller: 'user' | 'manager', k: number) =>
      program
        .call(
          caller,
          `/api/products/${call}p=dpsri&s=${new Date(end - 86_400_000 - k).toISOString()}&e=${new Date(end).toISOString()}`,
        )
        .then(async (answer) => {
          await answer.arrayBuffer()
          return answer.status
        })
        .catch(() => 0)
    const watched = await watch(program, '/healthz', 20)
    const [greedy, modest] = await Promise.all([
      Promise.all(Array.from({ length: each }, (_, k) => chart('user', k))),
      Promise.all(Array.from({ length: 2 }, (_, k) => chart('manager', 10_000 + k))),
    ])
    const { p99, worst, failed } = await watched.stop()
    const wrong: string[] = []
    if (failed > 0) wrong.push(`${failed} innocent calls failed`)
    if (long && p99 > 100) wrong.push(`/healthz took ${p99} ms at p99`)
    if (modest.some((status) => status !== 200)) wrong.push(`another user was refused: ${modest}`)
    const counts = tally(greedy)
    if (!counts[429] || Object.keys(counts).some((status) => !['200', '429'].includes(status)))
      wrong.push(`one user's ${each} answers were ${told(counts)}`)
    return {
      load: `${each} ${long ? 'charts' : 'tables'} of one user at once`,
      worstMs: worst,
      outcome: `${told(counts)}; /healthz p99 ${p99} ms`,
      wrong,
    }
  },
}
