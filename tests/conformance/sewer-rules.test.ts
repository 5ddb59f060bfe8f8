import { readInp } from '@radx/formats/inp/read'
import { createSewer } from '@radx/hydrology/sewer/solver'
import { expect, test } from 'vitest'
import { runEpa } from '../../tools/swmm/epa.ts'

/** A junction fed from outside over one that is not, a tank, and a gate that the rules move. */
const model = (rules: string) => `[OPTIONS]
FLOW_UNITS CMS
FLOW_ROUTING DYNWAVE
START_DATE 01/01/2020
END_DATE 01/01/2020
END_TIME 02:00
REPORT_STEP 00:00:05
ROUTING_STEP 5
VARIABLE_STEP 0
[JUNCTIONS]
J1 1.5 3 0 0 0
J2 2 3 0 0 0
[STORAGE]
T 0 10 1 FUNCTIONAL 0 0 500
[OUTFALLS]
O -1 FREE
[CONDUITS]
C1 J1 J2 100 0.013 0 0 0 0
C2 J1 T 100 0.013 0 0 0 0
[ORIFICES]
R T O SIDE 0 0.65 NO 0
[XSECTIONS]
C1 CIRCULAR 0.6 0 0 0
C2 CIRCULAR 0.6 0 0 0
R CIRCULAR 0.3 0 0 0
[INFLOWS]
J2 FLOW "" FLOW 1 1 0.05
[CONTROLS]
${rules}
[REPORT]
LINKS ALL
`
const half = (condition: string) => `RULE A\nIF ${condition}\nTHEN ORIFICE R SETTING = 0.5`

// Times open and shut lie between steps: EPA SWMM counts in days, whose rounding may take a step more.
test.each([
  ['inflow is what comes from outside', half('NODE J2 INFLOW > 0.01')],
  ['and not what links bring', half('NODE J1 INFLOW > 0.01')],
  ['a time is met by one step', `${half('SIMULATION TIME = 1:00')}\nELSE ORIFICE R SETTING = 1`],
  ['and left out by one', `${half('SIMULATION TIME <> 1:00')}\nELSE ORIFICE R SETTING = 1`],
  ['what is open has not been shut for any time', half('ORIFICE R TIMECLOSED < 1:00')],
  [
    'throttling does not begin the time open anew',
    `RULE T\nIF SIMULATION TIME = 0:30\nTHEN ORIFICE R SETTING = 0.7\n${half('ORIFICE R TIMEOPEN >= 1:00:02')}`,
  ],
  [
    'opening does',
    `RULE S\nIF SIMULATION TIME = 0:20\nTHEN ORIFICE R SETTING = 0\nRULE O\nIF ORIFICE R TIMECLOSED >= 0:10:02\nTHEN ORIFICE R SETTING = 1\n${half('SIMULATION TIME > 0:45\nAND ORIFICE R TIMEOPEN >= 0:40:02')}`,
  ],
  ['a gate has no full depth', half('LINK R FULLDEPTH < 5')],
  ['nor a status', half('LINK R STATUS = OPEN')],
  ['a pipe has one', half('CONDUIT C1 STATUS = OPEN')],
  ['the slope of a pipe laid against its fall is positive', half('LINK C1 SLOPE < 0')],
  ['and counted along the ground', half('LINK C1 SLOPE > 0.00500001')],
])('rules beside EPA SWMM, from step to step: %s', async (_, rules) => {
  const epa = await runEpa(model(rules))
  const settings = epa.linkSeries(epa.links.indexOf('R'), 'capacity')
  const sewer = createSewer(readInp(model(rules)).network, { maxStepS: 5 })
  const gate = sewer.linkIndex('R')
  const ours = Array.from(settings, () => {
    sewer.step(5)
    return sewer.settings[gate]
  })
  // EPA SWMM looks at the inflow of the step before, of which the first one has none.
  const shown = (values: ArrayLike<number>) => Array.from(values, (value) => value.toFixed(4)).slice(1)
  expect(shown(ours)).toEqual(shown(settings))
})
