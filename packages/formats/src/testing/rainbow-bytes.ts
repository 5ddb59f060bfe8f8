import { deflateSync } from 'node:zlib'

/** A Rainbow 5 block put together from the format's description: length, zlib stream, newlines around. */
export function rainbowBlob(id: number, content: readonly number[] | Buffer): Buffer {
  const raw = Buffer.from(content as number[])
  const packed = deflateSync(raw)
  const length = [raw.length >>> 24, (raw.length >>> 16) & 255, (raw.length >>> 8) & 255, raw.length & 255]
  return Buffer.concat([
    Buffer.from(`<BLOB blobid="${id}" size="${packed.length + 4}" compression="qt">\n`, 'latin1'),
    Buffer.from(length),
    packed,
    Buffer.from('\n</BLOB>\n', 'latin1'),
  ])
}

/** Degrees as the 16-bit parts of a turn in which rayinfo codes them. */
export const rayAngles = (...degrees: number[]): number[] =>
  degrees.flatMap((d) => {
    const code = Math.round((d / 360) * 65536)
    return [code >> 8, code & 255]
  })

/** Header of a volume of two sweeps: the second inherits and overrides, has stop angles and two quantities. */
export const VOLUME_XML = `<volume version="5.36.5" datetime="2013-05-10T00:03:17" type="vol" owner="">
 <scan name="essai.vol" time="00:00:06" date="2013-05-10">
  <pargroup refid="sdfbase"><rangestep>0.5</rangestep><anglestep>1</anglestep></pargroup>
  <slice refid="0">
   <posangle>2.4</posangle><start_range>0.1</start_range>
   <slicedata time="00:00:33" date="2013-05-10">
    <rayinfo refid="startangle" blobid="0" rays="3" depth="16"/>
    <rawdata blobid="1" rays="3" type="dBZ" bins="2" min="-31.5" max="95.5" depth="8"/>
    <rawdata blobid="2" rays="3" type="V" bins="1" min="-8" max="8" depth="16"/>
   </slicedata>
  </slice>
  <slice refid="1">
   <posangle>0.6</posangle><rangestep>0.25</rangestep>
   <slicedata time="00:00:46" date="2013-05-10">
    <rayinfo refid="startangle" blobid="3" rays="2" depth="16"/>
    <rayinfo refid="stopangle" blobid="4" rays="2" depth="16"/>
    <rawdata blobid="5" rays="2" type="dBuZ" bins="1" min="-31.5" max="95.5" depth="8"/>
    <rawdata blobid="6" rays="2" type="dBZ" bins="1" min="-31.5" max="95.5" depth="8"/>
   </slicedata>
  </slice>
 </scan>
 <radarinfo id="BOX" name="Bonn"><lon>7.07</lon><lat>50.73</lat><alt>99.5</alt><wavelen>0.032</wavelen></radarinfo>
</volume>
<!-- END XML -->
`

export const VOLUME_BLOBS: readonly Buffer[] = [
  rainbowBlob(0, rayAngles(358.5, 359.5, 4.5)),
  rainbowBlob(1, [0, 1, 255, 64, 2, 3]),
  rainbowBlob(2, [0, 0, 0, 1, 255, 255]),
  rainbowBlob(3, rayAngles(10, 20)),
  rainbowBlob(4, rayAngles(10.9, 20.9)),
  rainbowBlob(5, [1, 2]),
  rainbowBlob(6, [3, 4]),
]

export const volumeBytes = (xml = VOLUME_XML, blobs = VOLUME_BLOBS): Buffer =>
  Buffer.concat([Buffer.from(xml), ...blobs])
