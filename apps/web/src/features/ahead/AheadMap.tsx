import type { AHEAD_DEPTHS_MM, AheadCycle, AheadNetwork } from '@radx/contracts/ahead'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useColorScheme } from '../../app/color-scheme.ts'
import { ButtonGroup } from '../../map/controls/ButtonGroup.tsx'
import legend from '../../map/controls/Legend.module.css'
import { LegendScale } from '../../map/controls/LegendScale.tsx'
import { GridLayer } from '../../map/GridLayer.tsx'
import { PROBABILITY_COLORS } from '../../map/probability.ts'
import { aheadTexts as texts } from '../../texts/ahead.ts'
import { TownMap } from '../../town/TownMap.tsx'
import classes from './AheadScreen.module.css'
import { chancesQuery, type Place } from './api.ts'
import { DangerLayers } from './DangerLayers.tsx'
import { Picking } from './Picking.tsx'
import { chancePicture } from './paint.ts'
import type { ForecastRain } from './rain.ts'
import { ShareAhead } from './ShareAhead.tsx'

/** Rain stands behind: water and pipes are what one looks at. */
const RAIN_OPACITY = 35

interface Props {
  cycle: AheadCycle
  network: AheadNetwork | undefined
  above: (typeof AHEAD_DEPTHS_MM)[number]
  at: number
  /** Forecast rain of the same issue; null where it is not wanted or there is none. */
  rain: ForecastRain | null
  showsNetwork: boolean
  /** The place whose fan is shown. */
  chosen: Place | null
  onPick: (place: Place) => void
}

/** Where water may stand, and what of the sewer is in danger, at one moment. */
export default function AheadMap({ cycle, network, above, at, rain, showsNetwork, chosen, onPick }: Props) {
  const scheme = useColorScheme()
  const { place, catchment, issued, times } = cycle
  const chances = useQuery({ ...chancesQuery(catchment.id, issued, above), enabled: times.length > 0 })
  const { nrows, ncols } = place
  const cells = nrows * ncols
  const picture = useMemo(
    () =>
      chancePicture(
        chances.data?.subarray(at * cells, (at + 1) * cells) ?? new Uint8Array(0),
        nrows,
        ncols,
        scheme,
      ),
    [chances.data, at, cells, nrows, ncols, scheme],
  )
  const town = useMemo(() => ({ catchmentId: catchment.id }), [catchment.id])
  const shownRain = useMemo(
    () =>
      rain && {
        store: rain.cache,
        time: nearestTime(rain.times, times[at] ?? issued),
        times: rain.times,
        opacity: RAIN_OPACITY,
        forecast: true,
      },
    [rain, times, at, issued],
  )
  return (
    <TownMap
      label={texts.map}
      busy={chances.isPending}
      className={classes.map}
      town={town}
      place={place}
      rain={shownRain}
      buttons={
        <ButtonGroup below>
          <ShareAhead cycle={cycle} above={above} at={at} />
        </ButtonGroup>
      }
      legend={
        <ChanceLegend
          above={above}
          showsRain={rain !== null}
          showsNetwork={showsNetwork && network !== undefined}
        />
      }
    >
      <GridLayer id="ahead-chances" picture={picture} corners={place.corners} opacity={0.85} />
      {showsNetwork && network && <DangerLayers network={network} cycle={cycle} at={at} />}
      {times.length > 0 && <Picking {...{ cycle, network, showsNetwork, at, chosen, onPick }} />}
    </TownMap>
  )
}

function ChanceLegend({
  above,
  showsRain,
  showsNetwork,
}: {
  above: number
  showsRain: boolean
  showsNetwork: boolean
}) {
  const colors = PROBABILITY_COLORS[useColorScheme()]
  const title = `${texts.legend}, > ${texts.depth(above / 10)}`
  return (
    <section className={legend.root} aria-label={title}>
      <p className={legend.title}>{title}</p>
      <LegendScale classes={colors.map((color, k) => ({ color, label: texts.percent((k + 1) * 10) }))} />
      {showsRain && <p className={classes.legendNote}>{texts.legendRain}</p>}
      {showsNetwork && <p className={classes.legendNote}>{texts.legendNetwork}</p>}
    </section>
  )
}

function nearestTime(times: readonly string[], to: string): string | null {
  const off = (time: string) => Math.abs(Date.parse(time) - Date.parse(to))
  const best = times.reduce<string | null>((a, b) => (a === null || off(b) < off(a) ? b : a), null)
  // Beyond what is forecast there is no rain to show.
  return best !== null && off(best) <= 5 * 60_000 ? best : null
}
