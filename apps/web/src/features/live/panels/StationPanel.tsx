import { IconArrowsMaximize } from '@tabler/icons-react'
import { openModal } from '../../../app/modals.ts'
import { stationTexts } from '../../../texts/station.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Section } from '../../../ui/Section.tsx'
import { StationView } from '../../../ui/station/StationView.tsx'
import { useLive } from '../state/store.ts'
import classes from './StationPanel.module.css'

/** Weather at the foot of the radar, beside the map; the dialog shows the same larger. */
export function StationPanel() {
  const taranis = useLive((state) => state.data?.taranis ?? null)
  const known = useLive((state) => state.data !== null)
  return (
    <Section
      title={stationTexts.title}
      aside={
        taranis && (
          <IconButton
            className={classes.open}
            label={stationTexts.open}
            tip="left"
            size={28}
            onClick={() => openModal('weatherStation')}
          >
            <IconArrowsMaximize size={16} stroke={1.75} />
          </IconButton>
        )
      }
    >
      {taranis ? (
        <StationView taranis={taranis} size="panel" />
      ) : (
        <p className={classes.none}>{known ? stationTexts.noReadings : '–'}</p>
      )}
    </Section>
  )
}
