import { readFileSync } from 'node:fs'
import { type Site, siteSchema } from '@radx/contracts/site'

/** The default site, as the server reads it. */
export const defaultSite: Site = siteSchema.parse(
  JSON.parse(readFileSync(new URL('../../../../site/site.json', import.meta.url), 'utf8')),
)

/** Another radar elsewhere, with one product of another size. */
export const otherSite: Site = siteSchema.parse({
  ...defaultSite,
  id: 'bonn',
  name: 'Bonn',
  radar: { ...defaultSite.radar, name: 'BoXPol', position: { lat: 50.73, lng: 7.07 }, rangeKm: 100 },
  products: [
    {
      shortName: 'boxpol',
      longName: 'BoXPol',
      activeStatus: true,
      bounds: { ul: { lat: 51.18, lng: 6.36 }, lr: { lat: 50.28, lng: 7.78 } },
      steps: 100,
      frameSeconds: 300,
    },
  ],
  defaultProduct: 'boxpol',
  odimProduct: 'boxpol',
  defaultCatchment: null,
  events: [],
  station: null,
  gauges: [],
  microRainRadar: null,
})
