import { Text } from '@mantine/core'
import type { Taranis } from '@radx/contracts/station'
import { stationTexts } from '../../texts/station.ts'
import { AppModal } from '../AppModal.tsx'
import { StationView } from './StationView.tsx'

/** The station's panel with more room, and what its roses mean. */
export function StationDialog({ taranis }: { taranis: Taranis | null }) {
  return (
    <AppModal type="weatherStation" title={stationTexts.title} size="xl">
      <Text c="dimmed" size="sm" mb="md">
        {stationTexts.explanation}
      </Text>
      {taranis && <StationView taranis={taranis} size="dialog" />}
    </AppModal>
  )
}
