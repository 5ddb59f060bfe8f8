import type { RadxMap } from '../map/createMap.ts'
import { CLOCK, drawClock, drawPlate } from './plate.ts'
import type { ShareSubject } from './subject.ts'

/** The map as it stands on the page, with legend, clock, scale and attribution, as PNG. */
export async function makePicture({ radx, ...subject }: ShareSubject): Promise<Blob> {
  await document.fonts.ready
  const shown = radx.map.getContainer()
  const [width, height] = [shown.clientWidth, shown.clientHeight]
  // A screen of few pixels still makes a picture that can be read.
  const ratio = Math.max(1, window.devicePixelRatio || 1)
  const canvas = new OffscreenCanvas(Math.round(width * ratio), Math.round(height * ratio))
  const context = canvas.getContext('2d')!
  await drawn(radx, () => {
    context.drawImage(radx.map.getCanvas(), 0, 0, canvas.width, canvas.height)
    context.drawImage(radx.reference.canvas, 0, 0, canvas.width, canvas.height)
  })
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  drawMarkers(context, shown)
  context.save()
  context.translate(CLOCK.left, CLOCK.top)
  drawClock(context, subject.title, subject.clock, Math.min(CLOCK.width, width - 2 * CLOCK.left))
  context.restore()
  const { lat } = radx.map.getCenter()
  const { title, legend, attribution } = subject
  drawPlate(context, { title, legend, attribution, lat, zoom: radx.map.getZoom() }, width, height)
  return canvas.convertToBlob({ type: 'image/png' })
}

/** Reads the map right after it has drawn: its picture is gone with the next task. */
function drawn({ map }: RadxMap, read: () => void): Promise<void> {
  return new Promise((resolve) => {
    map.once('render', () => {
      read()
      resolve()
    })
    map.triggerRepaint()
  })
}

/** Gauges are elements of the page. */
function drawMarkers(context: OffscreenCanvasRenderingContext2D, shown: HTMLElement): void {
  const origin = shown.getBoundingClientRect()
  for (const marker of shown.querySelectorAll<HTMLElement>('[data-testid="gauge-marker"]')) {
    const { left, top, width, height } = marker.getBoundingClientRect()
    const [x, y] = [left - origin.left + width / 2, top - origin.top + height / 2]
    context.beginPath()
    context.arc(x, y, 11, 0, 2 * Math.PI)
    context.fillStyle = getComputedStyle(marker).getPropertyValue('--gauge') || '#0b5a63'
    context.fill()
    context.lineWidth = 2
    context.strokeStyle = '#ffffff'
    context.stroke()
    context.font = "600 12px 'Inter Variable', system-ui, sans-serif"
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    context.fillStyle = '#ffffff'
    context.fillText(marker.textContent ?? '', x, y)
    context.textAlign = 'left'
  }
}
