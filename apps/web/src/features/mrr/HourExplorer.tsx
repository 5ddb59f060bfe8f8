import { Button, NativeSelect, Slider, Switch } from '@mantine/core'
import type { MrrRecord } from '@radx/contracts/mrr'
import { MRR_SCALE, MRR_VARIABLE_UNITS, type MrrVariableName } from '@radx/contracts/mrr-constants'
import { countFr, formatNumberFr, formatTimeFr } from '@radx/locale/format-fr'
import { useMemo, useState } from 'react'
import { useSite } from '../../app/site.ts'
import { PlayButtons } from '../../player/PlayButtons.tsx'
import { usePlayback } from '../../player/usePlayback.ts'
import { usePlayerKeys } from '../../player/usePlayerKeys.ts'
import { mrrTexts as texts } from '../../texts/mrr.ts'
import { Message } from '../../ui/Message.tsx'
import { type MrrAddress, scaleValue } from './address.ts'
import { type DownloadFormat, downloadHour } from './api.ts'
import { ScaleInput } from './ColourSettings.tsx'
import { Heatmap } from './Heatmap.tsx'
import classes from './HourExplorer.module.css'
import { Profile } from './Profile.tsx'
import { advance, goTo, newPlayer, toggle } from './player.ts'
import { fittedRange, isDry, meltingOf, toHour, WINDOW_MS } from './records.ts'

/** Values that the colours span where nothing was seen, and the round numbers that they end on elsewhere. */
const RANGES: Record<MrrVariableName, { empty: [number, number]; step: number }> = {
  LWC: { empty: [0, 3], step: 0.1 },
  RR: { empty: [0, 30], step: 2 },
  Ze: { empty: [-10, 50], step: 5 },
  VEL: { empty: [0, 10], step: 1 },
}

interface Props {
  records: readonly MrrRecord[]
  startMs: number
  address: MrrAddress
  change: (next: Partial<MrrAddress>) => void
  /** Instant that downloads name; null offers none. */
  downloadable: string | null
  /** Without the settings that need a session. */
  plain?: boolean
}

/** An hour of profiles: picture, profile at the cursor and player, on one clock. */
export function HourExplorer({ records, startMs, address, change, downloadable, plain }: Props) {
  const { timeZone } = useSite()
  const { variable, palette } = address
  const hour = useMemo(() => toHour(records, startMs, variable), [records, startMs, variable])
  const [player, setPlayer] = useState(() => newPlayer(records.length))
  usePlayback({ playing: player.playing, count: player.count, advance: () => setPlayer(advance) })
  const step = (by: 1 | -1) => setPlayer((p) => ({ ...goTo(p, p.frame + by), playing: false }))
  usePlayerKeys({ step, togglePlay: () => setPlayer(toggle) })
  const seek = (frame: number) => setPlayer((p) => ({ ...goTo(p, frame), playing: false }))
  const melting = useMemo(() => meltingOf(records), [records])
  const { empty, step: round } = RANGES[variable]
  const fitted = useMemo(() => fittedRange(hour, melting, round), [hour, melting, round])
  const dry = isDry(hour, variable)
  const automatic = address.max === null
  const most = address.max ?? scaleValue(fitted?.[1] ?? null)
  const range: [number, number] = variable === 'LWC' ? [0, most] : (fitted ?? empty)
  const clock = (ms: number) => formatTimeFr(ms, timeZone)
  const { unit, titleFr } = MRR_VARIABLE_UNITS[variable]
  const title = texts.explorer.title(clock(startMs).slice(0, 5), clock(startMs + WINDOW_MS).slice(0, 5))
  return (
    <div data-testid="mrr-explorer">
      <div className={classes.head}>
        <h2>{title}</h2>
        <div className={classes.controls}>
          <NativeSelect
            size="xs"
            label={texts.explorer.variable}
            value={variable}
            data={Object.entries(MRR_VARIABLE_UNITS).map(([value, v]) => ({ value, label: v.titleFr }))}
            onChange={(event) => change({ variable: event.currentTarget.value as MrrVariableName })}
          />
          {variable === 'LWC' && !plain && !dry && (
            <>
              <Switch
                size="xs"
                className={classes.fit}
                label={texts.explorer.fit}
                checked={automatic}
                onChange={(event) => change({ max: event.currentTarget.checked ? null : most })}
              />
              <div data-resting={automatic} className={classes.most}>
                <ScaleInput
                  label={texts.explorer.max}
                  value={address.max ?? MRR_SCALE.default}
                  onChange={(max) => change({ max })}
                />
              </div>
            </>
          )}
        </div>
      </div>
      {records.length === 0 ? (
        <Message kind="nfo">{texts.explorer.none}</Message>
      ) : dry ? (
        <>
          <Message kind="nfo">{texts.explorer.dry(countFr(records.length, 'profil'))}</Message>
          {downloadable && <Downloads hour={downloadable} variable={variable} />}
        </>
      ) : (
        <>
          <div className={classes.views}>
            <Heatmap
              hour={hour}
              frame={player.frame}
              range={range}
              palette={palette}
              title={titleFr}
              unit={unit}
              melting={melting}
              onSeek={seek}
            />
            <Profile
              hour={hour}
              frame={player.frame}
              range={range}
              title={titleFr}
              unit={unit}
              melting={melting}
            />
          </div>
          <p className={classes.meltingNote}>
            {melting === null
              ? texts.explorer.noMelting
              : texts.explorer.meltingAt(
                  formatNumberFr(melting.bottomM, 0),
                  formatNumberFr(melting.topM, 0),
                  formatNumberFr(100 * melting.share, 0),
                )}
          </p>
          <div className={classes.player}>
            <PlayButtons
              playing={player.playing}
              empty={records.length === 0}
              onStep={step}
              onToggle={() => setPlayer(toggle)}
            />
            <Slider
              className={classes.slider}
              min={0}
              max={Math.max(1, records.length - 1)}
              value={player.frame}
              onChange={seek}
              label={null}
              size={4}
              thumbLabel={texts.explorer.time}
              thumbValueText={(frame) => clock(hour.timesMs[frame] ?? startMs)}
            />
            <output className={classes.clock} data-testid="mrr-clock">
              {clock(hour.timesMs[player.frame])}
            </output>
            <span className={classes.reading}>
              {formatNumberFr(largest(hour.values, player.frame, hour.gates), 2)}{' '}
              <span className="rx-unit">{unit}</span>
            </span>
          </div>
          {downloadable && <Downloads hour={downloadable} variable={variable} />}
        </>
      )}
    </div>
  )
}

/** Largest value of a record; null when nothing was seen. */
function largest(values: Float32Array, frame: number, gates: number): number | null {
  let best: number | null = null
  for (const value of values.subarray(frame * gates, (frame + 1) * gates))
    if (!Number.isNaN(value) && (best === null || value > best)) best = value
  return best
}

function Downloads({ hour, variable }: { hour: string; variable: MrrVariableName }) {
  const [busy, setBusy] = useState<DownloadFormat | null>(null)
  const [failed, setFailed] = useState(false)
  const get = async (format: DownloadFormat) => {
    setBusy(format)
    setFailed(false)
    await downloadHour(hour, variable, format).catch(() => setFailed(true))
    setBusy(null)
  }
  return (
    <div className={classes.downloads}>
      <span>{texts.explorer.download}</span>
      {(['csv', 'netcdf', 'png'] as const).map((format) => (
        <Button
          key={format}
          size="xs"
          variant="default"
          loading={busy === format}
          onClick={() => void get(format)}
        >
          {texts.explorer[format]}
        </Button>
      ))}
      {failed && <Message kind="error">{texts.explorer.failed}</Message>}
    </div>
  )
}
