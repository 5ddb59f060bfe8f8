import type { RadarVolumeAnswer } from '@radx/contracts/radar-volumes'
import { formatNumberFr, formatTimeFr } from '@radx/locale/format-fr'
import type { ReactNode } from 'react'
import { useSite } from '../../app/site.ts'
import { sweepTexts } from '../../texts/sweep.ts'
import { fr } from '../../texts/typography.ts'
import { Quantity } from '../../ui/Quantity.tsx'
import classes from './SweepScreen.module.css'

const texts = sweepTexts.about

interface Props {
  volume: RadarVolumeAnswer
  sweep: number
  notes: readonly string[]
}

/** How the volume was measured, and what was recognised in it. */
export function VolumeFacts({ volume, sweep, notes }: Props) {
  const { timeZone } = useSite()
  const { site, format, wavelengthM, beamWidthDeg, files, sweeps } = volume
  const { nrays, nbins, rangeStepM, datetime } = sweeps[sweep]
  const rows: [string, ReactNode][] = [
    [texts.site, site.name || '–'],
    [texts.begun, formatTimeFr(datetime, timeZone)],
    [texts.gates, texts.gatesOf(nrays, nbins, formatNumberFr(rangeStepM, 1, true))],
    [texts.wavelength, <Quantity key="w" value={wavelengthM && wavelengthM * 100} unit="cm" decimals={2} />],
    [texts.beam, <Quantity key="b" value={beamWidthDeg} unit="°" decimals={2} />],
    [texts.format, format],
    [texts.files, files.join(', ')],
  ]
  return (
    <section className={classes.about}>
      <h2>{texts.title}</h2>
      <dl>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {notes.length > 0 && (
        <details>
          <summary>{texts.notes}</summary>
          <ul>
            {notes.map((note) => (
              <li key={note}>{fr(note)}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}
