/** Networks that hold one of everything, for checks beside EPA SWMM. */

const SECTIONS: [string, string, number][] = [
  ['CIRCULAR', '1 0 0 0', 0.8],
  ['FILLED_CIRCULAR', '1.2 0.3 0 0', 0.9],
  ['RECT_CLOSED', '1 1.2 0 0', 1.2],
  ['RECT_OPEN', '1 1.2 0 0', 1.2],
  ['TRAPEZOIDAL', '1 1 1.5 2', 2],
  ['TRIANGULAR', '1 3 0 0', 1.2],
  ['PARABOLIC', '1 2 0 0', 1.2],
  ['POWER', '1 2 1.5 0', 1.2],
  ['RECT_TRIANGULAR', '1 1.5 0.4 0', 1],
  ['RECT_ROUND', '1 1.5 0.9 0', 1],
  ['MODBASKETHANDLE', '1.4 1.2 0.7 0', 1],
  ['HORIZ_ELLIPSE', '1 1.55 0 0', 1],
  ['VERT_ELLIPSE', '1.55 1 0 0', 1],
  ['HORIZ_ELLIPSE', '10 0 10 0', 0.8],
  ['ARCH', '1 1.6 0 0', 1],
  ['ARCH', '20 0 20 0', 0.15],
  ['EGG', '1.3 0 0 0', 0.7],
  ['HORSESHOE', '1.2 0 0 0', 1],
  ['GOTHIC', '1.3 0 0 0', 1],
  ['CATENARY', '1.3 0 0 0', 1],
  ['SEMIELLIPTICAL', '1.3 0 0 0', 1],
  ['BASKETHANDLE', '1.2 0 0 0', 1],
  ['SEMICIRCULAR', '1 0 0 0', 1],
  ['CUSTOM', '1.2 SHAPE1 0 0 1', 0.8],
  ['IRREGULAR', 'TRAN1', 3],
  ['STREET', 'STR1', 1],
  ['STREET', 'STR2', 0.4],
  ['FORCE_MAIN', '0.8 120 0 0', 0.5],
]

const OPTIONS = `[OPTIONS]
FLOW_UNITS CMS
FLOW_ROUTING DYNWAVE
START_DATE 01/01/2024
END_DATE 01/01/2024
END_TIME 01:30
ROUTING_STEP 1
REPORT_STEP 00:00:10
VARIABLE_STEP 0.75
`

/** A line of three pipes for each shape; `S<i>` carry the name, the shape stands in `shapeNames`. */
export function shapesNetwork(): { inp: string; shapes: string[] } {
  const part = { junctions: '', outfalls: '', conduits: '', sections: '', inflows: '' }
  SECTIONS.forEach(([shape, dims, flow], i) => {
    for (let k = 0; k < 3; k++) {
      part.junctions += `S${i}_${k} ${(10 - k * 0.3).toFixed(2)} 6\n`
      part.conduits += `C${i}_${k} S${i}_${k} ${k === 2 ? `O${i}` : `S${i}_${k + 1}`} 100 0.015 0 0\n`
      part.sections += `C${i}_${k} ${shape} ${dims}\n`
    }
    part.outfalls += `O${i} 9.1 NORMAL NO\n`
    part.inflows += `S${i}_0 FLOW WAVE FLOW 1 ${flow}\n`
  })
  const inp = `${OPTIONS}[JUNCTIONS]
${part.junctions}[OUTFALLS]
${part.outfalls}[CONDUITS]
${part.conduits}[XSECTIONS]
${part.sections}[TRANSECTS]
NC 0.05 0.05 0.03
X1 TRAN1 8 10 16 0 0 0 0 0
GR 3 0 2 0 1.8 10 0 12 0 14
GR 1.8 16 2 26 3 26
[STREETS]
STR1 5 0.15 2 0.016 0.05 0.6 2 3 2 0.02
STR2 5 0.15 2 0.016 0 0 1 0 0 0
[CURVES]
SHAPE1 SHAPE 0 0.3
SHAPE1 0.4 1
SHAPE1 1 0.5
[INFLOWS]
${part.inflows}[TIMESERIES]
WAVE 0:00 0.1 0:10 0.1 0:30 1 0:45 1 1:10 0.1 1:30 0.1
[REPORT]
NODES ALL
LINKS ALL
`
  return { inp, shapes: SECTIONS.map(([shape]) => shape) }
}

const DEVICES: [string, string, string][] = [
  ['ORIFICES', 'SIDE 0.5 0.65 NO 0', 'CIRCULAR 0.5'],
  ['ORIFICES', 'SIDE 0.2 0.6 YES 0', 'RECT_CLOSED 0.4 0.6'],
  ['ORIFICES', 'BOTTOM 0 0.6 NO 0', 'CIRCULAR 0.4'],
  ['WEIRS', 'TRANSVERSE 1 1.84 NO 0 0', 'RECT_OPEN 1 1.5'],
  ['WEIRS', 'TRANSVERSE 1 1.84 YES 2 0', 'RECT_OPEN 0.3 1'],
  ['WEIRS', 'SIDEFLOW 1 1.84 NO 0 0', 'RECT_OPEN 1 1.5'],
  ['WEIRS', 'V-NOTCH 1 1.38 NO 0 0', 'TRIANGULAR 1 1.5'],
  ['WEIRS', 'TRAPEZOIDAL 1 1.84 NO 0 1.38', 'TRAPEZOIDAL 1 1 0.5 0.5'],
  ['WEIRS', 'ROADWAY 1 1.6 NO 0 0 NO 6 PAVED', 'RECT_OPEN 1 4'],
  ['OUTLETS', '0.5 FUNCTIONAL/DEPTH 0.6 0.5 NO', ''],
  ['OUTLETS', '0.5 TABULAR/HEAD RATE1 NO', ''],
  ['PUMPS', 'PUMPA ON 0 0', ''],
  ['PUMPS', 'PUMPB ON 0 0', ''],
  ['PUMPS', 'PUMPC ON 0 0', ''],
  ['PUMPS', 'PUMPD ON 0 0', ''],
  ['PUMPS', 'PUMPE OFF 1.5 0.5', ''],
]

/** A tank, a device, a junction and a pipe to an outfall for each device. */
export function devicesNetwork(): { inp: string; devices: string[] } {
  const lists: Record<string, string> = { ORIFICES: '', WEIRS: '', OUTLETS: '', PUMPS: '' }
  let storage = ''
  let junctions = ''
  let outfalls = ''
  let conduits = ''
  let sections = ''
  let inflows = ''
  DEVICES.forEach(([kind, words, section], i) => {
    storage += `T${i} 0 6 0.1 FUNCTIONAL 0 0 ${120 + i}\n`
    junctions += `J${i} 0 6\n`
    outfalls += `O${i} -0.3 FREE NO\n`
    lists[kind] += `D${i} T${i} J${i} ${words}\n`
    conduits += `C${i} J${i} O${i} 60 0.013 0 0\n`
    sections += `C${i} CIRCULAR 1 0 0 0\n`
    if (section) sections += `D${i} ${section} ${'0 '.repeat(5 - section.split(' ').length)}\n`
    inflows += `T${i} FLOW WAVE FLOW 1 0.4\n`
  })
  const inp = `${OPTIONS}[JUNCTIONS]
${junctions}[OUTFALLS]
${outfalls}[STORAGE]
${storage}[CONDUITS]
${conduits}[PUMPS]
${lists.PUMPS}[ORIFICES]
${lists.ORIFICES}[WEIRS]
${lists.WEIRS}[OUTLETS]
${lists.OUTLETS}[XSECTIONS]
${sections}[CURVES]
RATE1 RATING 0 0
RATE1 1 0.3
RATE1 3 0.5
PUMPA PUMP1 50 0.05
PUMPA 150 0.2
PUMPA 500 0.5
PUMPB PUMP2 0.5 0.05
PUMPB 1.5 0.2
PUMPB 4 0.5
PUMPC PUMP3 0 0.4
PUMPC 3 0.1
PUMPC 5 0
PUMPD PUMP4 0 0
PUMPD 4 0.6
PUMPE PUMP2 6 0.5
[INFLOWS]
${inflows}[TIMESERIES]
WAVE 0:00 0.1 0:30 1 0:45 1 1:10 0.1 1:30 0.1
[CONTROLS]
RULE R1
IF NODE T0 DEPTH > 2
THEN ORIFICE D0 SETTING = 1
ELSE ORIFICE D0 SETTING = 0.5
[REPORT]
NODES ALL
LINKS ALL
`
  return { inp, devices: DEVICES.map(([kind, words]) => `${kind} ${words}`) }
}
