/** Slider values are forced to one decimal. */
export const oneDecimal = (value: number) => Math.round(value * 10) / 10

/** Opacity from an address or a slider: 0 to 100, one decimal; anything else is the default. */
export function parseOpacity(text: string | null): number {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text)
  return value >= 0 && value <= 100 ? oneDecimal(value) : 100
}
