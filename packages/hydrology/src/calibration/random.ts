/** Numbers that look random and follow from a seed alone (mulberry32, T. Ettinger 2017). */
export class SeededDraws {
  private state: number
  private spare: number | null = null

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** From 0 to below 1, all alike. */
  uniform(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let t = this.state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  /** Mean 0, standard deviation 1 (Box and Muller 1958). */
  normal(): number {
    if (this.spare !== null) {
      const value = this.spare
      this.spare = null
      return value
    }
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()))
    const angle = 2 * Math.PI * this.uniform()
    this.spare = radius * Math.sin(angle)
    return radius * Math.cos(angle)
  }

  /** 0 to n - 1 in some order. */
  order(n: number): number[] {
    const all = Array.from({ length: n }, (_, k) => k)
    for (let k = n - 1; k > 0; k--) {
      const other = Math.floor(this.uniform() * (k + 1))
      ;[all[k], all[other]] = [all[other], all[k]]
    }
    return all
  }
}
