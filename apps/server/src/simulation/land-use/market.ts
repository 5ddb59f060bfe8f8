import { defaultConfigs } from '../catchment/library.ts'
import type { LuseRow } from './luse-files.ts'

/** The file's own table, then the classes of the default table that it lacks, not selected. */
export function withMarket(
  own: LuseRow['configs'],
  permanentWaterCode: number | undefined,
): LuseRow['configs'] {
  const codes = new Set(own.map(({ code }) => code))
  const titles = new Set(own.map(({ title }) => title))
  const others = [...defaultConfigs(permanentWaterCode), ...MARKET].filter(
    ({ code, title }) => !codes.has(code) && !titles.has(title),
  )
  return [
    ...own.map((c) => ({ ...c, isSelected: true })),
    ...others.map((c) => ({ ...c, isSelected: false })),
  ]
}

/** Land uses that a project may bring into a town; codes are given when one is chosen. Sources as the default table. */
const MARKET: LuseRow['configs'] = [
  {
    id: 'noue',
    code: 101,
    title: 'Noue végétalisée',
    color: '#2aa198',
    kh: 7.2e-6,
    capsh: 0.11,
    soilmd: 0.35,
    nmanningov: 0.3,
    interceptionclass: 6,
    desc: 'Fossé large et peu profond, planté',
    descFull:
      'Fossé large et peu profond, planté sur sol drainant : il ralentit l’eau, la stocke un moment et l’infiltre.',
    isSelected: false,
  },
  {
    id: 'pave-drainant',
    code: 102,
    title: 'Pavé drainant',
    color: '#c08457',
    kh: 5.5e-6,
    capsh: 0.06,
    soilmd: 0.25,
    nmanningov: 0.02,
    interceptionclass: 1.5,
    desc: 'Pavés à joints poreux',
    descFull:
      'Pavés à joints poreux sur couche de graviers : la surface reste carrossable et laisse passer une pluie courante.',
    isSelected: false,
  },
  {
    id: 'jardin-de-pluie',
    code: 103,
    title: 'Jardin de pluie',
    color: '#7cb342',
    kh: 1.0e-5,
    capsh: 0.09,
    soilmd: 0.35,
    nmanningov: 0.35,
    interceptionclass: 8,
    desc: 'Cuvette plantée sur sol filtrant',
    descFull:
      'Cuvette plantée sur un sol filtrant rapporté : elle reçoit le ruissellement des toits et des cours voisines.',
    isSelected: false,
  },
  {
    id: 'parking',
    code: 104,
    title: 'Parking enrobé',
    color: '#4b5563',
    kh: 0,
    capsh: 0,
    soilmd: 0,
    nmanningov: 0.016,
    interceptionclass: 0.5,
    desc: 'Aire de stationnement revêtue',
    descFull:
      'Aire de stationnement revêtue : imperméable et lisse, elle rend presque toute la pluie en quelques minutes.',
    isSelected: false,
  },
]
