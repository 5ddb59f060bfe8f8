import { SMALL_CATCHMENT } from '../../apps/server/src/simulation/testing/small-catchment.ts'

/** Junctions J-1 to J-11 along the street, 10 m apart, that end in OUT-1; K-1 apart from them. */
const JUNCTIONS = Array.from({ length: 11 }, (_, k) => ({ name: `J-${k + 1}`, x: 1005 + 10 * k }))

/**
 * The small town with a longer sewer: eleven junctions in a row whose last pipe is too small, so that the one
 * before the end gives water back, and one junction that nothing joins to them.
 */
export function sewerTown(): Record<string, string> {
  const invert = (k: number) => (29.6 - 0.1 * k).toFixed(2)
  return {
    'catchment.json': JSON.stringify({
      ...JSON.parse(SMALL_CATCHMENT['catchment.json']),
      id: 'melun',
      display: 'Melun',
    }),
    'gullies.csv': `gully,row,col,junction\nG-1,4,3,J-4\nG-2,4,8,J-9\n`,
    'network.inp': `${SMALL_CATCHMENT['network.inp'].split('[JUNCTIONS]')[0]}[JUNCTIONS]
${JUNCTIONS.map(({ name }, k) => `${name} ${invert(k)} ${(30 - 0.1 * k - Number(invert(k))).toFixed(2)} 0 0 0`).join('\n')}
K-1 28.5 1 0 0 0

[OUTFALLS]
OUT-1 28.5 FREE NO
OUT-2 28.3 FREE NO

[CONDUITS]
${JUNCTIONS.slice(1)
  .map(({ name }, k) => `C-${k + 1} J-${k + 1} ${name} 10 0.013 0 0 0 0`)
  .join('\n')}
C-11 J-11 OUT-1 10 0.013 0 0 0 0
C-12 K-1 OUT-2 10 0.013 0 0 0 0

[XSECTIONS]
${Array.from({ length: 12 }, (_, k) => `C-${k + 1} CIRCULAR ${k === 10 ? 0.03 : 0.1} 0 0 0 1`).join('\n')}

[COORDINATES]
${JUNCTIONS.map(({ name, x }) => `${name} ${x} 2035`).join('\n')}
K-1 1055 2015
OUT-1 1115 2035
OUT-2 1065 2015
`,
  }
}
