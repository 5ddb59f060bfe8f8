/** Everything written over the town: titles, clock, rain, legends and figures of the run. */
import type { FilmRun } from './film-run.ts'
import { hash } from './ground.ts'
import { CHAPTERS, chapterAt, DURATION_S, ease, HEIGHT, minuteAt, WIDTH } from './story.ts'

const TEXT = '#f1f6f7'
const QUIET = '#a9bbc1'
const ACCENT = '#43c6c0'
const MARGIN = 56

const number = (value: number, digits = 0) =>
  value.toLocaleString('fr-FR', { maximumFractionDigits: digits, minimumFractionDigits: 0 })

/** As 7·10⁻¹⁴. */
function scientific(value: number): string {
  const [digits, power] = value.toExponential(0).split('e-')
  return `${digits}·10⁻${[...power].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('')}`
}

/** Colour of a largest depth as the scene draws it: turbo (Mikhailov 2019) over the root of the depth. */
function resultColor(depthM: number): string {
  const x = 0.12 + 0.8 * Math.sqrt(depthM)
  const value = (...c: number[]) => 255 * c.reduce((sum, factor, power) => sum + factor * x ** power, 0)
  const r = value(0.1357, 4.6154, -42.6603, 132.1311, -152.9424, 59.2864)
  const g = value(0.0914, 2.1942, 4.843, -14.185, 4.2773, 2.8296)
  const b = value(0.1067, 12.6419, -60.582, 110.3628, -89.9031, 27.3482)
  return `rgb(${r} ${g} ${b})`
}

export class Overlay {
  private readonly to: CanvasRenderingContext2D
  private readonly run: FilmRun

  constructor(to: CanvasRenderingContext2D, run: FilmRun) {
    this.to = to
    this.run = run
  }

  draw(timeS: number, frame: number): void {
    const minute = minuteAt(timeS)
    this.shade(timeS)
    this.streaks(minute, timeS, frame)
    this.opening(timeS)
    this.chapter(timeS)
    this.clock(minute, ease(timeS, 4.6, 5.4))
    this.legends(timeS)
    this.figures(ease(timeS, 28.4, 29.4))
    this.note(timeS)
    this.curtain(timeS)
  }

  private text(
    text: string,
    x: number,
    y: number,
    size: number,
    weight: number,
    color: string,
    align: CanvasTextAlign = 'left',
  ): void {
    const to = this.to
    to.font = `${weight} ${size}px Inter`
    to.textAlign = align
    to.fillStyle = color
    to.fillText(text, x, y)
  }

  private with(alpha: number, paint: () => void): void {
    if (alpha <= 0) return
    this.to.save()
    this.to.globalAlpha = alpha
    paint()
    this.to.restore()
  }

  /** Darkens the edges under the texts. */
  private shade(timeS: number): void {
    const to = this.to
    const top = to.createLinearGradient(0, 0, 0, 230)
    top.addColorStop(0, 'rgba(8,14,18,0.82)')
    top.addColorStop(1, 'rgba(8,14,18,0)')
    to.fillStyle = top
    to.fillRect(0, 0, WIDTH, 230)
    const side = 0.72 * (1 - ease(timeS, 4, 5))
    if (side > 0) {
      const left = to.createLinearGradient(0, 0, WIDTH * 0.75, 0)
      left.addColorStop(0, `rgba(8,14,18,${side})`)
      left.addColorStop(1, 'rgba(8,14,18,0)')
      to.fillStyle = left
      to.fillRect(0, 0, WIDTH, HEIGHT)
    }
  }

  private rate(minute: number): number {
    const { ratesMmH } = this.run
    const k = Math.max(0, Math.min(ratesMmH.length - 1, Math.floor(minute)))
    const next = ratesMmH[Math.min(ratesMmH.length - 1, k + 1)]
    return ratesMmH[k] + (next - ratesMmH[k]) * Math.min(1, Math.max(0, minute - k))
  }

  /** Rain before the lens: as many drops as it rains. */
  private streaks(minute: number, timeS: number, frame: number): void {
    const rate = this.rate(minute)
    const alpha = 1 - ease(timeS, 19.3, 20.3)
    if (rate < 0.5 || alpha <= 0) return
    const to = this.to
    const count = Math.round(170 * Math.min(1, rate / 100))
    to.save()
    to.strokeStyle = '#cfe6ee'
    to.lineCap = 'round'
    for (let k = 0; k < count; k++) {
      const near = 0.45 + 0.55 * hash(k, 3)
      const fall = 0.055 * near * frame + hash(k, 1)
      const turn = Math.floor(fall)
      const y = (fall - turn) * (HEIGHT + 160) - 80
      const x = hash(k, 11 + turn) * (WIDTH + 120) - y * 0.08
      to.globalAlpha = alpha * 0.3 * near
      to.lineWidth = 0.8 + near * 0.8
      to.beginPath()
      to.moveTo(x, y)
      to.lineTo(x - 3.4 * near, y + 42 * near)
      to.stroke()
    }
    to.restore()
  }

  private opening(timeS: number): void {
    this.with(ease(timeS, 0.3, 1.3) * (1 - ease(timeS, 4, 4.8)), () => {
      const y = 330
      this.text('RadX · Multi-Hydro', MARGIN, y - 78, 20, 600, ACCENT)
      this.text('De la pluie à la rue', MARGIN - 3, y, 68, 700, TEXT)
      this.text('Simuler la crue d’une ville, cellule par cellule', MARGIN, y + 48, 25, 400, QUIET)
    })
  }

  private chapter(timeS: number): void {
    const chapter = chapterAt(timeS)
    const place = CHAPTERS.indexOf(chapter)
    if (place === 0) return
    const out = place === CHAPTERS.length - 1 ? 0 : ease(timeS, chapter.toS - 0.6, chapter.toS - 0.1)
    this.with(ease(timeS, chapter.fromS + 0.1, chapter.fromS + 0.8) * (1 - out), () => {
      this.text(`${place}`, MARGIN, 88, 22, 600, ACCENT)
      this.text(chapter.title, MARGIN + 26, 88, 40, 700, TEXT)
      this.text(chapter.lead, MARGIN + 27, 124, 21, 400, QUIET)
    })
  }

  /** Simulated time over the rain of the run. */
  private clock(minute: number, alpha: number): void {
    this.with(alpha, () => {
      const to = this.to
      const { ratesMmH } = this.run
      const [width, height, top] = [286, 62, 84]
      const left = WIDTH - MARGIN - width
      const most = Math.max(...ratesMmH)
      const step = width / ratesMmH.length
      const curve = (until: number) => {
        to.beginPath()
        to.moveTo(left, top + height)
        for (let k = 0; k <= until; k += 0.5)
          to.lineTo(left + k * step, top + height - (height * this.rate(k)) / most)
        to.lineTo(left + until * step, top + height)
        to.fill()
      }
      const hours = Math.floor(minute / 60)
      const rest = String(Math.floor(minute % 60)).padStart(2, '0')
      this.text(`${hours} h ${rest}`, left, 64, 28, 600, TEXT)
      this.text(`${number(this.rate(minute))}`, WIDTH - MARGIN - 56, 64, 28, 600, TEXT, 'right')
      this.text('mm/h', WIDTH - MARGIN, 64, 17, 400, QUIET, 'right')
      to.fillStyle = 'rgba(169,187,193,0.28)'
      curve(ratesMmH.length)
      to.fillStyle = '#4bb8e6'
      curve(Math.min(minute, ratesMmH.length))
      to.fillStyle = 'rgba(169,187,193,0.6)'
      to.fillRect(left, top + height, width, 1)
      to.fillStyle = TEXT
      to.fillRect(left + Math.min(ratesMmH.length, minute) * step - 0.75, top - 4, 1.5, height + 9)
    })
  }

  private legends(timeS: number): void {
    const streets = ease(timeS, 12.2, 13) * (1 - ease(timeS, 19, 19.6))
    this.legend(
      streets,
      'Hauteur d’eau',
      ['#0d5499', '#0d99e6', '#59e6ff', '#ebffff'],
      ['3', '12', '35', '90 cm'],
    )
    const sewer = ease(timeS, 20.8, 21.6) * (1 - ease(timeS, 26.2, 26.8))
    this.legend(
      sewer,
      'Remplissage des conduites',
      ['#1d5166', '#1fa5d8', '#8fe3f5', '#ffb63d', '#ff4a2e'],
      ['0', '25', '50', '75', '100 %'],
    )
  }

  private legend(alpha: number, title: string, colors: string[], labels: string[], width = 286): void {
    this.with(alpha, () => {
      const to = this.to
      const left = WIDTH - MARGIN - width
      const top = HEIGHT - 118
      to.fillStyle = 'rgba(8,14,18,0.72)'
      to.beginPath()
      to.roundRect(left - 18, top - 40, width + 36, 86, 10)
      to.fill()
      const ramp = to.createLinearGradient(left, 0, left + width, 0)
      colors.forEach((color, k) => void ramp.addColorStop(k / (colors.length - 1), color))
      this.text(title, left, top - 12, 17, 500, TEXT)
      to.fillStyle = ramp
      to.fillRect(left, top, width, 8)
      labels.forEach((label, k) => {
        const last = k === labels.length - 1
        const x = left + (k / (labels.length - 1)) * width
        this.text(label, x, top + 30, 15, 400, QUIET, k === 0 ? 'left' : last ? 'right' : 'center')
      })
    })
  }

  /** Where the water went, out of the run's own balance. */
  private figures(alpha: number): void {
    this.with(alpha, () => {
      const to = this.to
      const { balance, minutes, wallSeconds, ratesMmH } = this.run
      const [left, width] = [WIDTH - MARGIN - 350, 350]
      const fallen = ratesMmH.reduce((sum, rate) => sum + rate / 60, 0)
      const parts: [label: string, m3: number, color: string][] = [
        ['infiltrée dans les sols', balance.infiltratedM3, '#5f9c74'],
        ['interceptée', balance.interceptedM3, '#a7bf6a'],
        ['arrivée à la rivière', balance.waterM3 + balance.edgeOutM3, '#2f7fb5'],
        ['passée par les égouts', balance.outfallM3 + balance.sewerM3, '#f0a840'],
        ['encore en surface', balance.surfaceM3, '#5fd6f2'],
      ]
      let y = 216
      this.text(`${number(fallen, 0)} mm de pluie`, left, y, 30, 600, TEXT)
      this.text(`${number(Math.round(balance.rainM3 / 1000) * 1000)} m³ d’eau`, left, y + 30, 19, 400, QUIET)
      y += 58
      let x = left
      for (const [, m3, color] of parts) {
        const part = (width * m3) / balance.rainM3
        to.fillStyle = color
        to.fillRect(x, y, Math.max(1, part - 1.5), 14)
        x += part
      }
      y += 46
      for (const [label, m3, color] of parts) {
        to.fillStyle = color
        to.fillRect(left, y - 12, 12, 12)
        this.text(label, left + 24, y, 18, 400, TEXT)
        this.text(`${number((100 * m3) / balance.rainM3)} %`, left + width, y, 18, 600, TEXT, 'right')
        y += 30
      }
      y += 22
      this.text(
        `${number(minutes)} min simulées, calculées en ${number(wallSeconds)} s`,
        left,
        y,
        18,
        500,
        TEXT,
      )
      this.text(
        `Bilan en eau fermé à ${scientific(Math.abs(balance.relativeError))} près`,
        left,
        y + 28,
        18,
        400,
        QUIET,
      )
      const depthsM = [0.03, 0.1, 0.3, 0.6, 1.1]
      const labels = depthsM.map((m, k) => `${number(100 * m)}${k === depthsM.length - 1 ? ' cm' : ''}`)
      this.legend(alpha, 'Hauteur maximale', depthsM.map(resultColor), labels, width)
    })
  }

  private note(timeS: number): void {
    this.with(ease(timeS, 1, 2) * 0.85, () =>
      this.text('Bassin synthétique de démonstration', MARGIN, HEIGHT - 30, 15, 400, QUIET),
    )
  }

  private curtain(timeS: number): void {
    const dark = Math.max(1 - ease(timeS, 0, 0.7), ease(timeS, DURATION_S - 0.7, DURATION_S - 0.05))
    this.with(dark, () => {
      this.to.fillStyle = '#0a1216'
      this.to.fillRect(0, 0, WIDTH, HEIGHT)
    })
  }
}
