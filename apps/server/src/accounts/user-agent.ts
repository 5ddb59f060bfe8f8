// In this order: each browser also carries the names of those that it wants to be taken for.
const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const SYSTEMS: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bWindows NT\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** A device in words from what its browser calls itself, such as « Firefox, Windows ». It is a claim, not a proof. */
export function deviceLabel(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'Appareil inconnu'
  const first = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const known = [first(BROWSERS), first(SYSTEMS)].filter((name) => name !== undefined)
  return known.length > 0 ? known.join(', ') : 'Appareil inconnu'
}
