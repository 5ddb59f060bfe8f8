import type { Site } from '@radx/contracts'
import { iso } from '../../radar/api.ts'
import { type FrameLayer, STYLES } from '../frames/pictures.ts'
import { HALF_WORLD_M, LEVELS, TILE_PIXELS, tileLimits } from '../frames/tiles.ts'
import { xml } from '../xml.ts'

/** Its name as the well-known scale set has it. */
export const TILE_MATRIX_SET = 'WebMercatorQuad'

/** Service metadata of WMTS 1.0.0 (OGC 07-057r7, 7.1): what both ways of asking give. */
export function capabilities(site: Site, layers: FrameLayer[], address: string): string {
  const service = `${address}/ogc/wmts`
  const document = `${service}/1.0.0/WMTSCapabilities.xml`
  const get = (href: string, way: string) =>
    `<ows:Get xlink:href="${xml(href)}"><ows:Constraint name="GetEncoding"><ows:AllowedValues><ows:Value>${way}</ows:Value></ows:AllowedValues></ows:Constraint></ows:Get>`
  const operation = (name: string, rest: string) =>
    `<ows:Operation name="${name}"><ows:DCP><ows:HTTP>${get(`${service}?`, 'KVP')}${get(rest, 'RESTful')}</ows:HTTP></ows:DCP></ows:Operation>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<Capabilities version="1.0.0" xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wmts/1.0 http://schemas.opengis.net/wmts/1.0/wmtsGetCapabilities_response.xsd">
<ows:ServiceIdentification>
<ows:Title>${xml(`Pluie radar : ${site.name}`)}</ows:Title>
<ows:Abstract>Intensité de la pluie en classes, image par image. Sans jeton : les trois dernières heures.</ows:Abstract>
<ows:ServiceType>OGC WMTS</ows:ServiceType>
<ows:ServiceTypeVersion>1.0.0</ows:ServiceTypeVersion>
</ows:ServiceIdentification>
<ows:OperationsMetadata>
${operation('GetCapabilities', document)}
${operation('GetTile', `${service}/1.0.0/`)}
</ows:OperationsMetadata>
<Contents>
${layers.map((layer) => layerXml(layer, service)).join('\n')}
${matrixSetXml()}
</Contents>
<ServiceMetadataURL xlink:href="${xml(document)}"/>
</Capabilities>
`
}

function layerXml({ product, times }: FrameLayer, service: string): string {
  const { ul, lr } = product.bounds
  const styles = STYLES.map(
    ({ name, title }, k) =>
      `<Style isDefault="${k === 0}"><ows:Title>${xml(title)}</ows:Title><ows:Identifier>${name}</ows:Identifier></Style>`,
  ).join('')
  const limits = LEVELS.map(({ level }) => {
    const { minRow, maxRow, minCol, maxCol } = tileLimits(product.bounds, level)
    return `<TileMatrixLimits><TileMatrix>${level}</TileMatrix><MinTileRow>${minRow}</MinTileRow><MaxTileRow>${maxRow}</MaxTileRow><MinTileCol>${minCol}</MinTileCol><MaxTileCol>${maxCol}</MaxTileCol></TileMatrixLimits>`
  }).join('')
  const template = `${service}/1.0.0/${encodeURIComponent(product.shortName)}/{style}/{Time}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}.png`
  return `<Layer><ows:Title>${xml(product.longName)}</ows:Title><ows:WGS84BoundingBox><ows:LowerCorner>${ul.lng} ${lr.lat}</ows:LowerCorner><ows:UpperCorner>${lr.lng} ${ul.lat}</ows:UpperCorner></ows:WGS84BoundingBox><ows:Identifier>${xml(product.shortName)}</ows:Identifier>${styles}<Format>image/png</Format>${timeXml(times)}<TileMatrixSetLink><TileMatrixSet>${TILE_MATRIX_SET}</TileMatrixSet><TileMatrixSetLimits>${limits}</TileMatrixSetLimits></TileMatrixSetLink><ResourceURL format="image/png" resourceType="tile" template="${xml(template)}"/></Layer>`
}

/** A dimension must have a value: `current` stands where there is no frame. */
function timeXml(times: FrameLayer['times']): string {
  const values =
    times === null
      ? []
      : 'listMs' in times
        ? times.listMs.map(iso)
        : [`${iso(times.firstMs)}/${iso(times.lastMs)}/PT${times.stepS}S`]
  const told = ['current', ...values].map((value) => `<Value>${value}</Value>`).join('')
  return `<Dimension><ows:Identifier>Time</ows:Identifier><ows:UOM>ISO8601</ows:UOM><Default>current</Default><Current>true</Current>${told}</Dimension>`
}

function matrixSetXml(): string {
  const matrices = LEVELS.map(
    ({ level, tiles, scaleDenominator }) =>
      `<TileMatrix><ows:Identifier>${level}</ows:Identifier><ScaleDenominator>${scaleDenominator}</ScaleDenominator><TopLeftCorner>${-HALF_WORLD_M} ${HALF_WORLD_M}</TopLeftCorner><TileWidth>${TILE_PIXELS}</TileWidth><TileHeight>${TILE_PIXELS}</TileHeight><MatrixWidth>${tiles}</MatrixWidth><MatrixHeight>${tiles}</MatrixHeight></TileMatrix>`,
  ).join('')
  return `<TileMatrixSet><ows:Identifier>${TILE_MATRIX_SET}</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS><WellKnownScaleSet>urn:ogc:def:wkss:OGC:1.0:GoogleMapsCompatible</WellKnownScaleSet>${matrices}</TileMatrixSet>`
}
