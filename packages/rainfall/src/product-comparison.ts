import type { Compared } from '@radx/contracts/reprocessing'
import { RATE_NO_DATA } from './rates.ts'

/** Codes (0.01 mm/h) per mm/h. */
const CODES = 100

/** Sums of rain of two products, cell by cell; nothing is missed where a field of a frame is given whole. */
export class ProductComparison {
  private frames = 0
  private cells = 0
  private dry = 0
  private missingInOld = 0
  private missingInNew = 0
  private sumOld = 0
  private sumNew = 0
  private squaresOld = 0
  private squaresNew = 0
  private products = 0
  private squaredDifferences = 0

  /** Adds a frame that both made. @param old and @param made rate codes of the same grid; null where it is dry all over */
  add(old: Uint16Array | null, made: Uint16Array | null, cells: number): void {
    this.frames++
    if (old === null && made === null) {
      this.cells += cells
      this.dry += cells
      return
    }
    for (let i = 0; i < cells; i++) {
      const a = old === null ? 0 : old[i]
      const b = made === null ? 0 : made[i]
      if (a === RATE_NO_DATA || b === RATE_NO_DATA) {
        if (b !== RATE_NO_DATA) this.missingInOld++
        else if (a !== RATE_NO_DATA) this.missingInNew++
        continue
      }
      this.cells++
      if (a === 0 && b === 0) {
        this.dry++
        continue
      }
      this.sumOld += a
      this.sumNew += b
      this.squaresOld += a * a
      this.squaresNew += b * b
      this.products += a * b
      this.squaredDifferences += (a - b) ** 2
    }
  }

  /** What another one added. */
  include(other: ProductComparison): void {
    this.frames += other.frames
    this.cells += other.cells
    this.dry += other.dry
    this.missingInOld += other.missingInOld
    this.missingInNew += other.missingInNew
    this.sumOld += other.sumOld
    this.sumNew += other.sumNew
    this.squaresOld += other.squaresOld
    this.squaresNew += other.squaresNew
    this.products += other.products
    this.squaredDifferences += other.squaredDifferences
  }

  result(): Compared {
    const { frames, cells, dry, missingInOld, missingInNew } = this
    const counts = { frames, cells, dryCells: dry, missingInOld, missingInNew }
    if (cells === 0)
      return {
        ...counts,
        ...{ oldMeanMmH: null, newMeanMmH: null, biasMmH: null, rmseMmH: null, correlation: null },
      }
    return {
      ...counts,
      oldMeanMmH: this.sumOld / cells / CODES,
      newMeanMmH: this.sumNew / cells / CODES,
      biasMmH: (this.sumNew - this.sumOld) / cells / CODES,
      rmseMmH: Math.sqrt(this.squaredDifferences / cells) / CODES,
      correlation: this.correlation(),
    }
  }

  /** Pearson's, over the cells that both have; null where one of them is the same everywhere. */
  private correlation(): number | null {
    const { cells, sumOld, sumNew } = this
    const spreadOld = cells * this.squaresOld - sumOld ** 2
    const spreadNew = cells * this.squaresNew - sumNew ** 2
    if (!(spreadOld > 0 && spreadNew > 0)) return null
    const together = cells * this.products - sumOld * sumNew
    return Math.max(-1, Math.min(1, together / Math.sqrt(spreadOld) / Math.sqrt(spreadNew)))
  }
}
