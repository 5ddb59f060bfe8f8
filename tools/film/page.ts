/** Runs in the browser: draws the film frame by frame and encodes it. */
import { BufferTarget, CanvasSource, Output, WebMOutputFormat } from 'mediabunny'
import { CameraPath, lowPoint } from './camera.ts'
import type { FilmRun } from './film-run.ts'
import { Overlay } from './overlay.ts'
import { TownScene } from './scene.ts'
import { ease, FPS, HEIGHT, minuteAt, WIDTH } from './story.ts'

/** Bit a second of the film, and of a copy that other encoders start from. */
const BITRATE = { film: 480_000, master: 8_000_000 }

export interface FilmPage {
  load(run: FilmRun): Promise<void>
  /** A PNG of one moment, as a data address. */
  still(timeS: number): string
  /** A JPEG of one moment, as a data address. */
  poster(timeS: number): string
  /** Draws the frames of a part of the film, each once; answers film and master as WebM in base64. */
  encode(
    seconds: [from: number, to: number],
    progress: (frame: number, frames: number) => void,
  ): Promise<{ film: string; master: string }>
}

const canvas = document.createElement('canvas')
canvas.width = WIDTH
canvas.height = HEIGHT
document.body.append(canvas)
const context = canvas.getContext('2d', {
  alpha: false,
  willReadFrequently: true,
}) as CanvasRenderingContext2D
let draw: (timeS: number) => void = () => {}

const film: FilmPage = {
  async load(run) {
    await Promise.all(
      [400, 500, 600, 700].map(async (weight) => {
        const face = new FontFace('Inter', `url(/inter-${weight}.ttf)`, { weight: String(weight) })
        document.fonts.add(await face.load())
      }),
    )
    const scene = new TownScene(run)
    const path = new CameraPath(scene, lowPoint(run))
    const overlay = new Overlay(context, run)
    draw = (timeS) => {
      scene.draw({
        ...path.at(timeS),
        minute: minuteAt(timeS),
        lifted: ease(timeS, 19.7, 21.9) * (1 - ease(timeS, 25.8, 27.6)),
        result: ease(timeS, 27.6, 29),
        light: 1 - 0.22 * ease(timeS, 4.5, 9) + 0.22 * ease(timeS, 24, 28),
      })
      context.drawImage(scene.renderer.domElement, 0, 0)
      overlay.draw(timeS, Math.round(timeS * FPS))
    }
  },
  still(timeS) {
    draw(timeS)
    return canvas.toDataURL('image/png')
  },
  poster(timeS) {
    draw(timeS)
    return canvas.toDataURL('image/jpeg', 0.82)
  },
  async encode([fromS, toS], progress) {
    const frames = Math.round((toS - fromS) * FPS)
    const made = {
      film: output(BITRATE.film),
      master: output(BITRATE.master),
    }
    await Promise.all(Object.values(made).map(({ file }) => file.start()))
    for (let frame = 0; frame < frames; frame++) {
      draw(fromS + frame / FPS)
      for (const { source } of Object.values(made)) await source.add(frame / FPS, 1 / FPS)
      progress(frame + 1, frames)
    }
    const [film, master] = await Promise.all(
      Object.values(made).map(async ({ file, target }) => {
        await file.finalize()
        return base64(new Uint8Array(target.buffer as ArrayBuffer))
      }),
    )
    return { film, master }
  },
}

function output(bitrate: number) {
  const target = new BufferTarget()
  const file = new Output({ format: new WebMOutputFormat(), target })
  const source = new CanvasSource(canvas, {
    codec: 'vp9',
    bitrate,
    keyFrameInterval: 6,
    latencyMode: 'quality',
    bitrateMode: 'variable',
  })
  file.addVideoTrack(source, { frameRate: FPS })
  return { file, source, target }
}

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let k = 0; k < bytes.length; k += 0x8000) text += String.fromCharCode(...bytes.subarray(k, k + 0x8000))
  return btoa(text)
}

Object.assign(window, { film })
