import type { PublicSite } from '@radx/contracts/site'
import { makeBackdrop } from './backdrop.ts'
import { CLOCK, drawClock, drawPlate } from './plate.ts'
import type { FilmFormat, FilmReply, FilmRequest } from './protocol.ts'
import { evenly } from './raster.ts'
import type { FilmSubject, ShareSubject } from './subject.ts'

/** Pictures of one animation at most; more would fill the memory of a small machine, and nobody's patience. */
export const MOST_FRAMES: Record<FilmFormat, number> = { mp4: 1500, webm: 1500, gif: 240 }

export interface FilmChoice {
  format: FilmFormat
  lines: 720 | 1080
  fps: number
}

export interface MadeFilm {
  blob: Blob
  codec: string
  frames: number
}

/** What an animation could not be made for. */
export class FilmFailed extends Error {
  readonly reason: 'codec' | 'encoder'

  constructor(reason: 'codec' | 'encoder', message: string) {
    super(message)
    this.name = 'FilmFailed'
    this.reason = reason
  }
}

/**
 * Makes an animation in a worker of this browser.
 * @param onProgress share that is done, 0 to 1
 * @throws FilmFailed; AbortError when `signal` aborts; ApiError when what moves does not come
 */
export async function makeFilm(
  subject: ShareSubject & { film: FilmSubject },
  site: PublicSite,
  { format, lines, fps }: FilmChoice,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<MadeFilm> {
  const { film, radx, attribution } = subject
  const moments = evenly(film.count, MOST_FRAMES[format])
  await document.fonts.ready
  const backdrop = await makeBackdrop(radx, site, film.moving, lines, signal)
  const { width, height, ratio, over, under } = backdrop
  const context = over.getContext('2d')!
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  const { lat, zoom } = backdrop
  drawPlate(
    context,
    { title: film.title, legend: film.legend, attribution, lat, zoom },
    width / ratio,
    height / ratio,
  )
  const clocks = new OffscreenCanvas(CLOCK.width * ratio, CLOCK.height * ratio)
  const clockContext = clocks.getContext('2d')!
  const clock = (moment: number) => {
    clockContext.setTransform(ratio, 0, 0, ratio, 0, 0)
    clockContext.clearRect(0, 0, CLOCK.width, CLOCK.height)
    drawClock(clockContext, film.title, film.clock(moment))
    return clocks.transferToImageBitmap()
  }
  const worker = new Worker(new URL('./film.worker.ts', import.meta.url), { type: 'module' })
  const post = (message: FilmRequest, transfer: Transferable[]) => worker.postMessage(message, transfer)
  // A GIF looks at some pictures first, to choose its colours.
  let asked = 0
  const all = moments.length + (format === 'gif' ? Math.min(4, moments.length) : 0)
  try {
    return await new Promise<MadeFilm>((resolve, reject) => {
      const abort = () => reject(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      if (signal.aborted) return abort()
      worker.onerror = (event) => reject(new FilmFailed('encoder', event.message))
      worker.onmessage = ({ data }: MessageEvent<FilmReply>) => {
        if (data.kind === 'done')
          resolve({
            blob: new Blob([data.bytes], { type: data.type }),
            codec: data.codec,
            frames: moments.length,
          })
        else if (data.kind === 'failed') reject(new FilmFailed(data.reason, data.message))
        else {
          const moment = moments[data.frame]
          onProgress(asked++ / all)
          film.codes(moment, signal).then((codes) => {
            const picture = clock(moment)
            post({ kind: 'frame', codes, clock: picture }, [codes.buffer, picture])
          }, reject)
        }
      }
      const overBitmap = over.transferToImageBitmap()
      post(
        {
          ...{ kind: 'start', format, width, height, fps, under, over: overBitmap },
          frames: moments.length,
          nrows: film.nrows,
          ncols: film.ncols,
          place: film.place(backdrop),
          look: film.look,
          clockAt: [CLOCK.left * ratio, CLOCK.top * ratio],
        },
        [under, overBitmap],
      )
    })
  } finally {
    worker.terminate()
  }
}
