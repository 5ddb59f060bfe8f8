import type { GaugeAdjustment } from '@radx/contracts'

/** Methods of adjustment as they stand in names of products, files and reports; `raw` is the radar as it came. */
export const METHOD_FR: Record<GaugeAdjustment['errors'][number]['method'], string> = {
  raw: 'radar d’origine',
  mfb: 'biais moyen',
  additive: 'additif local',
  multiplicative: 'multiplicatif local',
  mixed: 'mixte local',
  ked: 'krigeage à dérive externe',
}

/** What gauges count: those before each image, or those of the whole period. */
export const MODE_FR: Record<GaugeAdjustment['mode'], string> = { live: 'direct', hindsight: 'réanalyse' }
