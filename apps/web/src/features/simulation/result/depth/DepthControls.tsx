import { SegmentedControl } from '@mantine/core'
import { PALETTES } from '@radx/charts/palettes'
import type { ReactNode } from 'react'
import { depthTexts as texts } from '../../../../texts/flood.ts'
import classes from './Depth.module.css'
import type { DepthField } from './field.ts'
import type { DepthScale } from './paint.ts'
import { ScaleLegend } from './ScaleLegend.tsx'
import { ThresholdForm } from './ThresholdForm.tsx'
import { DEPTH_PALETTES, type DepthPalette, useDepthView } from './view.ts'

/** The colour scale as it is set. @param defaultMinCm where the scale starts unless it is set */
export function useDepthScale(field: DepthField, defaultMinCm = 0): { scale: DepthScale } {
  const { palette, minCm, maxCm } = useDepthView()
  const high = maxCm ?? field.maxCm
  const low = minCm ?? Math.min(defaultMinCm, high)
  return { scale: { palette, minCm: low, maxCm: high } }
}

interface Props {
  field: DepthField
  defaultMinCm?: number
  children?: ReactNode
}

/** Colour scale and thresholds, with their legend. */
export function DepthControls({ field, defaultMinCm = 0, children }: Props) {
  const { change } = useDepthView()
  const { scale } = useDepthScale(field, defaultMinCm)
  return (
    <div className={classes.controls}>
      <div>
        <span className={classes.label} id="depth-palette">
          {texts.palette}
        </span>
        <SegmentedControl
          aria-labelledby="depth-palette"
          data={DEPTH_PALETTES.map((name) => ({ value: name, label: texts.palettes[name] }))}
          value={scale.palette}
          onChange={(palette) => change({ palette: palette as DepthPalette })}
        />
      </div>
      <ThresholdForm
        minCm={scale.minCm}
        maxCm={scale.maxCm}
        onSet={(low, high) =>
          change({
            minCm: low === defaultMinCm ? null : low,
            maxCm: high === field.maxCm ? null : high,
          })
        }
      />
      {children}
      <ScaleLegend
        title={texts.legendOf}
        low={scale.minCm}
        high={scale.maxCm}
        color={PALETTES[scale.palette]}
      />
    </div>
  )
}
