import { StationDialog } from '../../../ui/station/StationDialog.tsx'
import { useLive } from '../state/store.ts'

export default function LiveStationDialog() {
  return <StationDialog taranis={useLive((state) => state.data?.taranis ?? null)} />
}
