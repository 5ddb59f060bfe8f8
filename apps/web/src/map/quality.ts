/**
 * Colours of quality in tenths, from sand to a blue-green that neither intensities nor probabilities have: each deeper
 * than the one before on light ground, and brighter on dark ground.
 */
export const QUALITY_COLORS = {
  light: [
    '#f1e3d3',
    '#e3dccb',
    '#d0d6c5',
    '#b9cfc0',
    '#9fc6bb',
    '#84bab3',
    '#68aca9',
    '#4c9b9c',
    '#2f878b',
    '#0f7076',
  ],
  dark: [
    '#4a3a2b',
    '#4c4636',
    '#4a5241',
    '#465f4d',
    '#426c5a',
    '#3f7b69',
    '#3f8c7a',
    '#479e8d',
    '#58b3a3',
    '#74cabb',
  ],
} as const
