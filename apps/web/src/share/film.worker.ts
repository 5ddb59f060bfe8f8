import {
  BufferTarget,
  CanvasSource,
  getFirstEncodableVideoCodec,
  Mp4OutputFormat,
  Output,
  Quality,
  type VideoCodec,
  WebMOutputFormat,
} from 'mediabunny'
import { GifWriter, paletteOfPictures } from './gif.ts'
import type { FilmFrame, FilmReply, FilmRequest, FilmStart } from './protocol.ts'
import { cellsOfPixels, paintCodes } from './raster.ts'

// Composes the pictures of an animation and encodes them, off the main thread.

/** In the order of how many programs play them. */
const CODECS: Record<'mp4' | 'webm', VideoCodec[]> = {
  mp4: ['avc', 'vp9', 'av1'],
  webm: ['vp9', 'av1', 'vp8'],
}
/** Maps have flat colours and fine lines: few bits, but more than films of the world take for so few pictures. */
const BIT_A_PIXEL = 0.2
const KEY_FRAMES_S = 4

const reply = (message: FilmReply, transfer: Transferable[] = []) => self.postMessage(message, { transfer })

/** Frames that were asked for come one by one. */
let arrived: ((frame: FilmFrame) => void) | null = null

self.onmessage = ({ data }: MessageEvent<FilmRequest>) => {
  if (data.kind === 'frame') arrived?.(data)
  else
    make(data).catch((error: unknown) =>
      reply({
        kind: 'failed',
        reason: error instanceof NoCodec ? 'codec' : 'encoder',
        message: error instanceof Error ? error.message : String(error),
      }),
    )
}

class NoCodec extends Error {}

async function make(start: FilmStart): Promise<void> {
  const pictures = new Pictures(start)
  const made =
    start.format === 'gif' ? await asGif(start, pictures) : await asVideo(start, start.format, pictures)
  reply({ kind: 'done', ...made }, [made.bytes])
}

/** The pictures of the animation on one canvas, one after the other. */
class Pictures {
  readonly canvas: OffscreenCanvas
  private readonly start: FilmStart
  private readonly context: OffscreenCanvasRenderingContext2D
  private readonly ground: ImageData
  private readonly image: ImageData
  private readonly cells: Int32Array

  constructor(start: FilmStart) {
    const { width, height } = start
    this.start = start
    this.canvas = new OffscreenCanvas(width, height)
    // Kept in main memory: every picture is written and read there.
    this.context = this.canvas.getContext('2d', { alpha: false, willReadFrequently: true })!
    this.context.drawImage(start.under, 0, 0, width, height)
    this.ground = this.context.getImageData(0, 0, width, height)
    this.image = this.context.createImageData(width, height)
    this.cells = cellsOfPixels(start.place, start, start)
  }

  async draw(frame: number): Promise<void> {
    const coming = new Promise<FilmFrame>((resolve) => {
      arrived = resolve
    })
    reply({ kind: 'want', frame })
    const { codes, clock } = await coming
    const { width, height, look, over, clockAt } = this.start
    paintCodes(this.image.data, this.ground.data, this.cells, codes, look, width)
    this.context.putImageData(this.image, 0, 0)
    this.context.drawImage(over, 0, 0, width, height)
    this.context.drawImage(clock, ...clockAt)
    clock.close()
  }

  read(): Uint8ClampedArray {
    return this.context.getImageData(0, 0, this.start.width, this.start.height).data
  }
}

interface Made {
  bytes: ArrayBuffer
  type: string
  codec: string
}

async function asVideo(start: FilmStart, format: 'mp4' | 'webm', pictures: Pictures): Promise<Made> {
  const { width, height, fps, frames } = start
  const quality = new Quality({ bitrate: Math.round(width * height * fps * BIT_A_PIXEL) })
  const codec =
    typeof VideoEncoder === 'undefined'
      ? null
      : await getFirstEncodableVideoCodec(CODECS[format], { width, height, quality })
  if (codec === null) throw new NoCodec(`no encoder for ${format}`)
  const target = new BufferTarget()
  const file = new Output({
    format: format === 'mp4' ? new Mp4OutputFormat({ fastStart: 'in-memory' }) : new WebMOutputFormat(),
    target,
  })
  const source = new CanvasSource(pictures.canvas, {
    codec,
    quality,
    keyFrameInterval: KEY_FRAMES_S,
    // Some times as fast as 'quality', whose picture is no better on flat colours.
    latencyMode: 'realtime',
  })
  file.addVideoTrack(source, { frameRate: fps })
  await file.start()
  for (let frame = 0; frame < frames; frame++) {
    await pictures.draw(frame)
    await source.add(frame / fps, 1 / fps)
  }
  await file.finalize()
  return { bytes: target.buffer as ArrayBuffer, type: `video/${format}`, codec }
}

/** Pictures that the colours are chosen from. */
const LOOKED_AT = 4

async function asGif(start: FilmStart, pictures: Pictures): Promise<Made> {
  const { frames, fps, width, height, look } = start
  const some: Uint8ClampedArray[] = []
  for (let k = 0; k < Math.min(LOOKED_AT, frames); k++) {
    await pictures.draw(Math.floor((k * frames) / Math.min(LOOKED_AT, frames)))
    some.push(pictures.read())
  }
  const gif = new GifWriter(width, height, paletteOfPictures(colorsOf(look.palette), some))
  for (let frame = 0; frame < frames; frame++) {
    await pictures.draw(frame)
    gif.add(pictures.read(), Math.round(100 / fps))
  }
  return { bytes: gif.finish().buffer, type: 'image/gif', codec: 'gif' }
}

/** The colours of a palette, each once. */
function colorsOf(palette: Uint8Array): Uint8Array {
  const seen = new Set<number>()
  for (let k = 0; k < palette.length; k += 4)
    if (palette[k + 3] > 0) seen.add((palette[k] << 16) | (palette[k + 1] << 8) | palette[k + 2])
  return Uint8Array.from([...seen].slice(0, 64).flatMap((rgb) => [rgb >> 16, (rgb >> 8) & 255, rgb & 255]))
}
