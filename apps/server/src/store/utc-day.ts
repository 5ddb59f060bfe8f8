/** Files of the store are cut by UTC days, which all have 24 hours. */
export const utcDay = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10)
export const utcDayStart = (day: string) => new Date(`${day}T00:00:00Z`)
export const nextUtcDayStart = (day: string) => new Date(utcDayStart(day).getTime() + 86_400_000)
