/** Files of a run's folder. */
export const NETWORK_OUTPUT = {
  report: 'resultats.rpt',
  out: 'resultats.out',
  geopackage: 'reseau.gpkg',
  nodes: 'nodes.csv',
  links: 'links.csv',
  subcatchments: 'subcatchments.csv',
  lids: 'lids.csv',
  inlets: 'inlets.csv',
  balance: 'balance.json',
  run: 'run.json',
  peaks: 'peaks.json',
  measures: 'lids.f32',
} as const
