import type { Progress } from '../../networks/model/simulate.ts'

interface Terminal {
  isTTY?: boolean
  write(text: string): unknown
}

/**
 * A line that is written anew on a terminal: share, simulated hours, time left. Where a run becomes slower than real
 * time, a line of its own says at which node, once a node, also where there is no terminal.
 */
export function createProgressLine(terminal: Terminal): (progress: Progress) => void {
  const told = new Set<string>()
  let width = 0
  return ({ share, timeS, leftS, stuckAt }) => {
    if (stuckAt !== null && !told.has(stuckAt)) {
      told.add(stuckAt)
      terminal.write(
        `${width > 0 ? '\n' : ''}Lent : moins vite que le temps réel à ${hours(timeS)} h, au nœud « ${stuckAt} ». Ctrl-C arrête et écrit ce qui est calculé.\n`,
      )
      width = 0
    }
    if (!terminal.isTTY) return
    const left = leftS === null || share >= 1 ? '' : `, reste ${duration(leftS)}`
    const line = `${Math.floor(share * 100)} % (${hours(timeS)} h${left})`
    terminal.write(`\r${line.padEnd(width)}${share >= 1 ? '\n' : ''}`)
    width = line.length
  }
}

const hours = (seconds: number) => (seconds / 3600).toLocaleString('fr-FR', { maximumFractionDigits: 1 })

/** As `45 s`, `3 min 20 s` or `2 h 05 min`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`
  return `${Math.floor(whole / 3600)} h ${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')} min`
}
