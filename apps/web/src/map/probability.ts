/**
 * Colours of probabilities in tenths, 10 to 100 %: even steps of OKLCH lightness in one hue that neither intensities nor
 * totals have, deeper on light ground and brighter on dark ground.
 */
export const PROBABILITY_COLORS = {
  light: [
    '#e8d5f7',
    '#d7baee',
    '#c69fe4',
    '#b683da',
    '#a567cf',
    '#9549c4',
    '#8032ad',
    '#6c1897',
    '#57007e',
    '#3f005e',
  ],
  dark: [
    '#48265e',
    '#5d3379',
    '#744095',
    '#8b4eb3',
    '#a35cd1',
    '#bc6bf0',
    '#cd86fe',
    '#d9a8fe',
    '#e6c7fd',
    '#f3e5fe',
  ],
} as const
