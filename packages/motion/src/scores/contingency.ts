/** Hits, misses and false alarms at a threshold. */
export interface Contingency {
  hits: number
  misses: number
  falseAlarms: number
}

/** @returns NaN where nothing was seen nor forecast */
export const csi = ({ hits, misses, falseAlarms }: Contingency) => hits / (hits + misses + falseAlarms)
export const pod = ({ hits, misses }: Contingency) => hits / (hits + misses)
export const far = ({ hits, falseAlarms }: Contingency) => falseAlarms / (hits + falseAlarms)
/** Area forecast over area seen. */
export const frequencyBias = ({ hits, misses, falseAlarms }: Contingency) =>
  (hits + falseAlarms) / (hits + misses)
