import { SourceRefused, someOf } from '../findings.ts'
import type { Layer } from './layer.ts'

/** Reads columns of features, and counts what they write with a decimal comma. */
export class Columns {
  commas = 0
  /** Values that are no number, by column. */
  readonly odd = new Map<string, string[]>()
  private readonly layer: Layer

  constructor(layer: Layer) {
    this.layer = layer
  }

  /** @throws SourceRefused for a column that no feature has */
  need(columns: readonly (string | undefined)[]): void {
    const missing = columns.filter((name) => name !== undefined && !this.layer.columns.has(name))
    if (missing.length === 0) return
    throw new SourceRefused(
      `${this.layer.name} n’a pas de colonne ${missing.map((name) => `« ${name} »`).join(', ')} ; elle a : ${someOf([...this.layer.columns], 30)}.`,
    )
  }

  text(properties: Record<string, unknown>, column: string | undefined): string | null {
    const value = column === undefined ? undefined : properties[column]
    if (value === undefined || value === null) return null
    const text = String(value).trim()
    return text === '' ? null : text
  }

  /** A number of a column; null where there is none. */
  number(properties: Record<string, unknown>, column: string | undefined): number | null {
    const text = this.text(properties, column)
    if (text === null || column === undefined) return null
    const comma = /^[-+]?\d*,\d+$/.test(text)
    const value = Number(comma ? text.replace(',', '.') : text)
    if (Number.isFinite(value)) {
      if (comma) this.commas++
      return value
    }
    const list = this.odd.get(column)
    if (list === undefined) this.odd.set(column, [text])
    else list.push(text)
    return null
  }

  /** @throws SourceRefused where columns hold what is no number */
  assertNumbers(): void {
    if (this.odd.size === 0) return
    const told = [...this.odd].map(
      ([column, texts]) =>
        `« ${column} » : ${someOf(
          [...new Set(texts)].map((text) => `« ${text.slice(0, 30)} »`),
          3,
        )}`,
    )
    throw new SourceRefused(
      `${this.layer.name} : des valeurs ne sont pas des nombres (${told.join(' ; ')}). Corrigez la colonne, sans unité ni texte ; une virgule décimale est admise.`,
    )
  }
}
