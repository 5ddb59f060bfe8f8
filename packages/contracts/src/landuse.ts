import type { StoringMeasure } from './measures.ts'

/**
 * The default land-use table. Soil values after Rawls, Brakensiek and Miller (1983), Manning after Chow (1959),
 * interception after McCuen. Managers may edit every value; a site file may replace the table.
 */
export interface LandUseClass {
  /** Code in `luse.asc`, a positive integer. */
  code: number
  title: string
  /** `#rrggbb`. */
  color: string
  /** Saturated hydraulic conductivity, m/s; 0 lets nothing in. */
  kh: number
  /** Wetting front suction (capillary) head, m. */
  capsh: number
  /** Soil moisture deficit, m3/m3. */
  soilmd: number
  /** Manning's n of the land surface, s/m^(1/3). */
  nmanningov: number
  /** Depth of rain that the canopy and hollows keep, mm. */
  interceptionclass: number
  desc: string
  descFull: string
  /** Holds water: its cells have no soil of their own then. */
  measure?: StoringMeasure
}

/** Cells of `luse.asc` outside the catchment. */
export const LAND_USE_NODATA = -9999
/** The code of gully cells: sewer inlets, never painted over. */
export const GULLY_CODE = 5
/** The code that the general table calls unknown; a catchment may declare it open water. */
export const UNKNOWN_CODE = 6

const GRASS = { kh: 1.8e-6, capsh: 0.167, soilmd: 0.3, nmanningov: 0.2, interceptionclass: 2 }

export const DEFAULT_LAND_USE: readonly LandUseClass[] = [
  {
    code: 1,
    title: 'Forêt',
    color: '#2f7d4f',
    kh: 3.0e-6,
    capsh: 0.11,
    soilmd: 0.3,
    nmanningov: 0.4,
    interceptionclass: 4,
    desc: 'Bois et bosquets',
    descFull:
      'Bois et bosquets sur sol limono-sableux. Le feuillage retient les premiers millimètres de pluie, le sol absorbe vite et la litière ralentit fortement le ruissellement.',
  },
  {
    code: 2,
    title: 'Route',
    color: '#6b7280',
    kh: 0,
    capsh: 0,
    soilmd: 0,
    nmanningov: 0.015,
    interceptionclass: 0.5,
    desc: 'Chaussées et trottoirs',
    descFull: 'Chaussées et trottoirs revêtus. Rien ne s’infiltre ; l’eau y coule vite jusqu’aux avaloirs.',
  },
  {
    code: 3,
    title: 'Herbe',
    color: '#9ccc65',
    ...GRASS,
    desc: 'Pelouses, jardins et sols nus',
    descFull:
      'Pelouses, jardins et autres sols perméables sur limon. L’infiltration suit Green et Ampt, y compris pour l’eau qui arrive des surfaces voisines.',
  },
  {
    code: 4,
    title: 'Maison',
    color: '#c65d4b',
    kh: 0,
    capsh: 0,
    soilmd: 0,
    nmanningov: 0.02,
    interceptionclass: 0.5,
    desc: 'Bâtiments',
    descFull: 'Toitures. Rien ne s’infiltre ; l’eau rejoint le terrain voisin.',
  },
  {
    code: GULLY_CODE,
    title: 'Avaloir',
    color: '#1f2937',
    kh: 0,
    capsh: 0,
    soilmd: 0,
    nmanningov: 0.015,
    interceptionclass: 0,
    desc: 'Bouches d’égout',
    descFull:
      'Cellule de chaussée munie d’un avaloir relié à un regard du réseau. Elle échange de l’eau avec le réseau dans les deux sens.',
  },
  {
    code: UNKNOWN_CODE,
    title: 'Inconnu',
    color: '#64a5d8',
    ...GRASS,
    desc: 'Sol inconnu, ou plan d’eau',
    descFull:
      'Occupation inconnue, traitée comme de l’herbe. Un bassin versant peut déclarer ce code comme plan d’eau permanent : la pluie et les eaux qui y arrivent quittent alors le calcul et sont comptées à part.',
  },
]
