/** What a rule looks at. */
export const ALERT_KINDS = [
  'rain-rate',
  'rain-total',
  'rain-return',
  'rain-chance',
  'flood-cell',
  'flood-node',
  'flood-link',
  'radar-down',
  'gauge-stuck',
  'no-cycle',
] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** Unit of a rule's value and thresholds. */
export const ALERT_UNITS: Record<AlertKind, 'mm/h' | 'mm' | 'ans' | '%' | 'min'> = {
  'rain-rate': 'mm/h',
  'rain-total': 'mm',
  'rain-return': 'ans',
  'rain-chance': '%',
  'flood-cell': '%',
  'flood-node': '%',
  'flood-link': '%',
  'radar-down': 'min',
  'gauge-stuck': 'mm',
  'no-cycle': 'min',
}

/** Without a value for so long a rule is blind, and says so, min. Kinds without one tell of absence themselves. */
export const ALERT_BLIND_MIN: Partial<Record<AlertKind, number>> = {
  'rain-rate': 20,
  'rain-total': 20,
  'rain-return': 20,
  'rain-chance': 30,
  'flood-cell': 45,
  'flood-node': 45,
  'flood-link': 45,
  'gauge-stuck': 360,
}

export const ALERT_SEVERITIES = ['info', 'warning', 'critical'] as const
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number]

/** Kinds that the rain of the archive can be held against (`POST /api/alerts/replay`). */
export const ALERT_RAIN_KINDS = ['rain-rate', 'rain-total', 'rain-return'] as const

/** Longest period that a rule is replayed over, days. */
export const ALERT_REPLAY_MAX_DAYS = 366
