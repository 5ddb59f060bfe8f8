import { type RainbowProduct, readRainbowProduct } from '../rainbow5/product.ts'
import { rainbowBlob } from './rainbow-bytes.ts'
import { refusal } from './refusal.ts'

/** A latitude-longitude product of 2 x 3 cells, 8 bits, in dBR. */
const XML = `<product version="5.43.11" datetime="2021-07-04T15:52:10" name="sri_ile" type="sri">
 <data date="2021-07-04" time="15:50:03">
  <sensorinfo id="ENPC"><lon>2.587</lon><lat>48.841</lat></sensorinfo>
  <radarpicture min="-31.5" max="95.5" type="dBR">
   <datamap blobid="0" rows="2" columns="3" depth="8"/>
   <flagmap blobid="1" rows="2" columns="3" depth="1"/>
   <projection type="latlon" lat_ul="49" lon_ul="2" lat_lr="48" lon_lr="3.5" size_x="3" size_y="2"/>
  </radarpicture>
 </data>
</product>
<!-- END XML -->
`
type Change = [string | RegExp, string]

const BLOBS = [rainbowBlob(0, [0, 1, 64, 84, 255, 104]), rainbowBlob(1, [0b0001_0100])]

/** That product with some of its header replaced, pair by pair. */
export function productBytes(...changes: Change[]): Buffer {
  const xml = changes.reduce((text, [from, to]) => {
    const changed = text.replace(from, to)
    if (changed === text) throw new Error(`nothing to replace: ${from}`)
    return changed
  }, XML)
  return Buffer.concat([Buffer.from(xml), ...BLOBS])
}

export const readProduct = (...changes: Change[]): RainbowProduct =>
  readRainbowProduct(productBytes(...changes))

export const productRefusal = (...changes: Change[]) => refusal(() => readProduct(...changes))
