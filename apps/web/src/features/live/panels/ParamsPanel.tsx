import type { AcquisitionParams } from '@radx/contracts/radar'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { genericErrorText } from '../../../app/api/errors.ts'
import { isSignedIn, useAuth } from '../../../app/auth/store.ts'
import { useSite } from '../../../app/site.ts'
import { columnTexts } from '../../../texts/live-column.ts'
import { sweepLinkText } from '../../../texts/sweep-title.ts'
import { Message } from '../../../ui/Message.tsx'
import { Quantity } from '../../../ui/Quantity.tsx'
import { CollapsibleSection } from '../../../ui/Section.tsx'
import { paramsQuery } from '../api.ts'
import { useLive } from '../state/store.ts'
import classes from './ParamsPanel.module.css'

const texts = columnTexts.params

/** How the latest image was measured: product and sensor. */
export function ParamsPanel() {
  const signedIn = useAuth(isSignedIn)
  const product = useLive((state) => state.product)
  const latest = useLive((state) => state.data?.images.at(-1)?.datetime ?? null)
  const { data, error } = useQuery(paramsQuery(product, latest))
  return (
    <CollapsibleSection title={columnTexts.titles.params}>
      {error && <Message kind="error">{genericErrorText(error)}</Message>}
      {data && <Params params={data} />}
      {signedIn && <Link to="/balayage">{sweepLinkText}</Link>}
    </CollapsibleSection>
  )
}

function Params({ params }: { params: AcquisitionParams }) {
  const { timeZone } = useSite()
  const { product, data } = params
  const { sensorinfo } = data
  const rows: [string, ReactNode][] = [
    [texts.name, product.name],
    [texts.version, product.version],
    [texts.datetime, formatDateTimeFr(product.datetime, timeZone)],
    [texts.sensor, sensorinfo.name],
    [texts.wavelength, <Quantity key="w" value={sensorinfo.wavelen} unit="m" decimals={4} />],
    [texts.beamwidth, <Quantity key="b" value={sensorinfo.beamwidth} unit="°" decimals={2} />],
    [texts.altitude, <Quantity key="a" value={sensorinfo.alt} unit="m" decimals={0} />],
  ]
  return (
    <dl className={classes.root}>
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
