import { depthDurationChart, durationFr, lightTheme } from '@radx/charts'
import type { MontanaTable, RarePlace, ReportBlock } from '@radx/contracts'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { isAtLeast } from '@radx/rainfall/storms/depth-duration'
import { chart, heading, table, text } from './blocks.ts'

/** Places of one table. */
const PLACES_ABREAST = 4

const theme = { ...lightTheme, fontFamily: 'Inter' }
const mm = (value: number | null) => formatQuantityFr(value, 'mm', 1)

/** How rare the largest depths of places are, as tables and on the curves of a table of coefficients. */
export function rarity(places: readonly RarePlace[], montana: MontanaTable | null): ReportBlock[] {
  if (places.length === 0) return []
  if (montana === null)
    return [
      heading('Périodes de retour'),
      text(
        'Aucun tableau de coefficients de Montana n’est disponible : aucune période de retour n’est donnée.',
      ),
    ]
  const size = { width: 760, height: 420 }
  return [
    heading('Périodes de retour'),
    text(`Tableau : ${montana.name}. ${montana.note}`),
    ...rarityTables(places),
    chart(depthDurationChart({ laws: montana.laws, places }, theme, size), size, {
      caption: 'Plus grandes hauteurs par durée, sur les courbes du tableau (mm, axes logarithmiques).',
      alt: `Hauteurs par durée : ${places.map(({ name, depths }) => `${name} ${depths.map((d) => `${durationFr(d.durationMin)} ${mm(d.depthMm)}`).join(', ')}`).join(' ; ')}.`,
    }),
    text(
      'Les coefficients valent pour un point. La moyenne d’un bassin est toujours moins forte que le point le plus arrosé : ' +
        'sans coefficient d’abattement, la période de retour d’une moyenne de bassin est sous-estimée.',
    ),
  ]
}

/** Places side by side, as many as a page is wide. */
function rarityTables(places: readonly RarePlace[]): ReportBlock[] {
  const tables: ReportBlock[] = []
  for (let from = 0; from < places.length; from += PLACES_ABREAST) {
    const some = places.slice(from, from + PLACES_ABREAST)
    const cell = ({ depths }: RarePlace, k: number) => {
      const depth = depths[k]
      if (depth === undefined) return '–'
      if (depth.depthMm === null) return depth.period.label
      return `${isAtLeast(depth) ? 'au moins ' : ''}${mm(depth.depthMm)}, ${depth.period.label}`
    }
    tables.push(
      table(
        'Plus grande hauteur par durée et sa période de retour',
        ['Durée', ...some.map(({ name }) => name)],
        some[0].depths.map(({ durationMin }, k) => [
          durationFr(durationMin),
          ...some.map((one) => cell(one, k)),
        ]),
      ),
    )
  }
  return tables
}
