import { IconArrowRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import { Link } from 'react-router'
import { listTexts as texts } from '../../../texts/simulation.ts'
import { catchmentsQuery, luseFilesQuery, maskQuery } from '../api.ts'
import { LuseImage } from '../parts/LuseImage.tsx'
import { NoCatchment } from '../parts/NoCatchment.tsx'
import { middleOf } from './middle.ts'
import classes from './Scenarios.module.css'

const SCENARIOS = [
  { ...texts.scenarioWhole, to: '/multihydro/form' },
  { ...texts.scenarioEogn, to: '/multihydro/case-study/form/eogn' },
]

/** The two scenarios to start from, with the basin as it is. */
export function Scenarios() {
  const catchments = useQuery(catchmentsQuery)
  const melun = catchments.data?.[0]
  const files = useQuery({ ...luseFilesQuery(melun?.id ?? ''), enabled: melun !== undefined })
  const mask = useQuery({ ...maskQuery('eogn'), enabled: melun !== undefined })
  const site = mask.data ? middleOf(mask.data) : null
  const image = files.data?.find(({ username }) => username === 'default') ?? files.data?.[0]
  const none = catchments.data?.length === 0
  return (
    <>
      {none && (
        <div className={classes.none}>
          <NoCatchment />
        </div>
      )}
      <ul className={classes.root}>
        {SCENARIOS.map((scenario, k) => (
          <li key={scenario.to} className={classes.card}>
            <div
              className={classes.image}
              data-zoomed={k === 1 && site !== null}
              style={
                k === 1 && site
                  ? ({ '--x': `${100 * site.x}%`, '--y': `${100 * site.y}%` } as CSSProperties)
                  : undefined
              }
            >
              <LuseImage base64={none || files.isError ? '' : image?.base64Image} alt="" />
            </div>
            <div className={classes.text}>
              <p className={classes.kind}>{scenario.kind}</p>
              <h3>
                <Link to={scenario.to}>{scenario.title}</Link>
              </h3>
              <p>{scenario.text}</p>
              {melun?.synthetic && <p className={classes.kind}>{texts.synthetic}</p>}
              <p className={classes.go} aria-hidden>
                {texts.start} <IconArrowRight size={16} stroke={2} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
