import { create } from 'zustand'

/** Kept in this browser once the tour was taken or refused. */
const TOUR_KEY = 'radx-tour'

function wasSeen(): boolean {
  try {
    return localStorage.getItem(TOUR_KEY) !== null
  } catch {
    // Without storage it would come back on every page.
    return true
  }
}

/** Whether this visitor has yet to be shown round. */
export const useTour = create<{ waits: boolean }>()(() => ({ waits: !wasSeen() }))

export function endTour(): void {
  try {
    localStorage.setItem(TOUR_KEY, 'seen')
  } catch {
    // Then it ends with the page.
  }
  useTour.setState({ waits: false })
}

/** From the guide, for who wants to see it again. */
export const repeatTour = (): void => useTour.setState({ waits: true })
