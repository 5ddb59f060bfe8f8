import type { SavedEvent } from '@radx/contracts/events'
import { civilDay } from '@radx/locale/time'
import { type SelectionGround, writeSelection } from '../../../selection/address.ts'
import type { Selection } from '../../../selection/selection.ts'

const instant = (text: string) => new Date(text).toISOString().replace('.000Z', 'Z')

/** The selection that an event keeps. */
export function selectionOfEvent(event: SavedEvent, { timeZone }: SelectionGround): Selection {
  const { start, end } = event.selectionDates
  const day = civilDay(Date.parse(start), timeZone)
  return {
    selectedProduct: event.product,
    selectionDates: {
      start: { date: instant(start), setHour: true },
      end: { date: instant(end), setHour: true },
    },
    dateCursor: day.slice(0, 7),
    activeDay: day,
    catchment: event.catchment.catchment,
    subcatchment: event.catchment.subcatchment,
  }
}

/** Query that opens an event's selection, loaded. */
export function eventQuery(event: SavedEvent, ground: SelectionGround): string {
  const params = new URLSearchParams()
  writeSelection(params, selectionOfEvent(event, ground), ground)
  params.set('v', '1')
  return params.toString()
}
