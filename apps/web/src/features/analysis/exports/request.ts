import type { Selection } from '../../../selection/selection.ts'

/** A chosen period as calls take it. */
export interface ExportRequest {
  selection: Pick<Selection, 'selectedProduct' | 'catchment' | 'subcatchment'>
  period: { s: string; e: string }
}

export const exportQuery = ({ selection, period }: ExportRequest) => ({
  p: selection.selectedProduct,
  ...period,
  c: selection.catchment,
  sc: selection.subcatchment,
})

/** Whether a period is longer than so many days. */
export const isOver = ({ s, e }: { s: string; e: string }, days: number) =>
  Date.parse(e) - Date.parse(s) > days * 86_400_000
