import type { Site } from '@radx/contracts'
import { iso } from '../../radar/api.ts'
import type { StoredProduct } from '../../store/catalog.ts'
import { CRS, type Crs } from '../crs.ts'
import { type FrameLayer, STYLES } from '../frames/pictures.ts'
import { xml } from '../xml.ts'

/** Service metadata of WMS 1.3.0 (OGC 06-042, 7.2), or of 1.1.1 for clients that ask for it. */
export function capabilities(site: Site, layers: FrameLayer[], address: string, version: string): string {
  const old = version.startsWith('1.1')
  const service = `${address}/ogc/wms`
  const online = `<OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:type="simple" xlink:href="${xml(service)}?"/>`
  const dcp = `<DCPType><HTTP><Get>${online}</Get></HTTP></DCPType>`
  const operation = (name: string, formats: string[]) =>
    `<${name}>${formats.map((format) => `<Format>${format}</Format>`).join('')}${dcp}</${name}>`
  const crs = [...CRS.keys()].map((code) => (old ? `<SRS>${code}</SRS>` : `<CRS>${code}</CRS>`)).join('')
  const root = old
    ? `<WMT_MS_Capabilities version="1.1.1">`
    : `<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wms http://schemas.opengis.net/wms/1.3.0/capabilities_1_3_0.xsd">`
  return `<?xml version="1.0" encoding="UTF-8"?>
${root}
<Service>
<Name>${old ? 'OGC:WMS' : 'WMS'}</Name>
<Title>${xml(`Pluie radar : ${site.name}`)}</Title>
<Abstract>Intensité de la pluie en classes, image par image. Sans jeton : les trois dernières heures.</Abstract>
${online}
${old ? '' : '<LayerLimit>1</LayerLimit><MaxWidth>4096</MaxWidth><MaxHeight>4096</MaxHeight>'}
</Service>
<Capability>
<Request>
${operation('GetCapabilities', ['text/xml'])}
${operation('GetMap', ['image/png'])}
${operation('GetFeatureInfo', ['application/json', 'text/plain'])}
</Request>
<Exception><Format>${old ? 'application/vnd.ogc.se_xml' : 'XML'}</Format></Exception>
<Layer>
<Title>${xml(site.name)}</Title>
${crs}
${layers.map((layer) => layerXml(layer, service, old)).join('\n')}
</Layer>
</Capability>
</${old ? 'WMT_MS_Capabilities' : 'WMS_Capabilities'}>
`
}

function layerXml({ product, times }: FrameLayer, service: string, old: boolean): string {
  const { ul, lr } = product.bounds
  const ground = old
    ? `<LatLonBoundingBox minx="${ul.lng}" miny="${lr.lat}" maxx="${lr.lng}" maxy="${ul.lat}"/>`
    : `<EX_GeographicBoundingBox><westBoundLongitude>${ul.lng}</westBoundLongitude><eastBoundLongitude>${lr.lng}</eastBoundLongitude><southBoundLatitude>${lr.lat}</southBoundLatitude><northBoundLatitude>${ul.lat}</northBoundLatitude></EX_GeographicBoundingBox>`
  const boxes = [...CRS.values()].map((crs) => boundingBox(product, crs, old)).join('')
  const styles = STYLES.map(
    ({ name, title }) =>
      `<Style><Name>${name}</Name><Title>${xml(title)}</Title><LegendURL width="180" height="240"><Format>image/png</Format><OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:type="simple" xlink:href="${xml(`${service}?SERVICE=WMS&REQUEST=GetLegendGraphic&VERSION=1.3.0&FORMAT=image/png&LAYER=${product.shortName}&STYLE=${name}`)}"/></LegendURL></Style>`,
  ).join('')
  return `<Layer queryable="1" opaque="0"><Name>${xml(product.shortName)}</Name><Title>${xml(product.longName)}</Title>${ground}${boxes}${timeXml(times, old)}${styles}</Layer>`
}

function boundingBox({ bounds: { ul, lr } }: StoredProduct, crs: Crs, old: boolean): string {
  const corners = [
    [ul.lng, ul.lat],
    [lr.lng, ul.lat],
    [ul.lng, lr.lat],
    [lr.lng, lr.lat],
  ].map(([lng, lat]) => crs.fromLngLat(lng, lat))
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
  const [a, b, c, d] = crs.northFirst && !old ? [box[1], box[0], box[3], box[2]] : box
  return `<BoundingBox ${old ? 'SRS' : 'CRS'}="${crs.code}" minx="${a}" miny="${b}" maxx="${c}" maxy="${d}"/>`
}

function timeXml(times: FrameLayer['times'], old: boolean): string {
  if (times === null) return ''
  const [values, last] =
    'listMs' in times
      ? [times.listMs.map(iso).join(','), times.listMs.at(-1)]
      : [`${iso(times.firstMs)}/${iso(times.lastMs)}/PT${times.stepS}S`, times.lastMs]
  if (last === undefined) return ''
  const about = `name="time" default="${iso(last)}" nearestValue="1"`
  return old
    ? `<Dimension name="time" units="ISO8601"/><Extent ${about}>${values}</Extent>`
    : `<Dimension ${about} units="ISO8601" current="1">${values}</Dimension>`
}
