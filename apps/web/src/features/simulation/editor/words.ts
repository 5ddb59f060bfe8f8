import type { LuseConfig, LuseData } from '@radx/contracts/simulation'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { editorTexts as texts } from '../../../texts/simulation.ts'
import type { GridModel } from './model.ts'
import type { GridCell } from './useCanvasGestures.ts'

/** What a key did, and where its cursor stands, to be read aloud. */
export function spokenCell(
  model: GridModel,
  configs: readonly LuseConfig[],
  { row, col }: GridCell,
  said: string | undefined,
): string {
  const cell = row * model.ncols + col
  const protection = model.protection(cell)
  const title = configs.find(({ code }) => code === model.codes[cell])?.title ?? String(model.codes[cell])
  const what = protection === 'empty' ? texts.protectedEmpty : title
  const why = protection === 'gully' ? texts.protectedGully : protection === 'mask' ? texts.protectedMask : ''
  return [said ?? '', texts.cellAt(row, col, what), why].filter((part) => part !== '').join(', ')
}

/** What the pointer is over, in words. */
export function underPointer(
  model: GridModel,
  data: LuseData,
  configs: readonly LuseConfig[],
  { row, col }: { row: number; col: number },
): string {
  if (row < 0 || col < 0 || row >= model.nrows || col >= model.ncols) return ''
  const cell = row * model.ncols + col
  const protection = model.protection(cell)
  if (protection === 'empty') return texts.protectedEmpty
  const title = configs.find(({ code }) => code === model.codes[cell])?.title ?? String(model.codes[cell])
  const z = data.elevation?.[row]?.[col]
  const parts = [title, z === undefined ? '' : formatQuantityFr(z, 'm', 1), `(${row}, ${col})`]
  if (protection === 'gully') parts.push(texts.protectedGully)
  if (protection === 'mask') parts.push(texts.protectedMask)
  return parts.filter((part) => part !== '').join(' · ')
}
