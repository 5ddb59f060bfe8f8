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
