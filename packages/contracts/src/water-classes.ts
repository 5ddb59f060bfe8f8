/** Lower limits of the classes of water on a map, cm; the last is open upwards. */
export const WATER_LIMITS_CM = [1, 5, 10, 20, 30, 50, 100] as const
/** One blue on light ground: deeper is darker. */
export const WATER_COLORS = [
  '#cfe6f6',
  '#a4d0ee',
  '#6db1e2',
  '#3a8dce',
  '#1f69b3',
  '#144a8e',
  '#0b2a5e',
] as const
