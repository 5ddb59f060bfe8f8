import { type AttackCase, tally, told, watch } from '../attack-case.ts'

const SIDE = 1024

export const anybodysPictures: AttackCase = {
  name: 'pictures: large maps that nobody in particular asks for do not hold up the others',
  async run({ program, long }) {
    const each = long ? 400 : 60
    const map = (k: number) =>
      program
        .call(
          'anonymous',
          `/ogc/wms?${new URLSearchParams({
            ...{ service: 'WMS', version: '1.3.0', request: 'GetMap', layers: 'dpsri', styles: '' },
            ...{ crs: 'EPSG:3857', width: String(SIDE), height: String(SIDE), format: 'image/png' },
            // Another ground each time, which no cache knows.
            bbox: `${200_000 + k},6100000,400000,6300000`,
          })}`,
        )
        .then(async (answer) => {
          await answer.arrayBuffer()
          return answer.status
        })
        .catch(() => 0)
    const watched = await watch(program, '/healthz', 20)
    const counts = tally(await Promise.all(Array.from({ length: each }, (_, k) => map(k))))
    const { p99, worst, failed } = await watched.stop()
    const wrong: string[] = []
    if (failed > 0) wrong.push(`${failed} innocent calls failed`)
    if (long && p99 > 100) wrong.push(`/healthz took ${p99} ms at p99`)
    if (
      !counts[200] ||
      !counts[429] ||
      Object.keys(counts).some((status) => !['200', '429'].includes(status))
    )
      wrong.push(`${each} pictures of one address were ${told(counts)}`)
    return {
      load: `${each} pictures of ${SIDE} x ${SIDE} of one address at once`,
      worstMs: worst,
      outcome: `${told(counts)}; /healthz p99 ${p99} ms`,
      wrong,
    }
  },
}
