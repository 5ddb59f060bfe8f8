import { type ComponentType, createContext } from 'react'

export interface Screen {
  path: string
  /** Title of the document. */
  title: string
  /** `signed-in` sends others to /compte and back after login. @default 'signed-in' */
  access?: 'public'
  /** Entry of the main menu; none for screens that are reached otherwise. */
  menu?: { label: string; managerOnly?: boolean }
  /** `stage` fills the window below the header; others scroll. @default a page that scrolls */
  layout?: 'stage'
  /** Shows without the component library around it; what needs it brings it along. */
  bare?: boolean
  /** @default what `later-screens.ts` has for its path */
  load?: () => Promise<{ default: ComponentType }>
}

/** The screen that is shown; null outside of one. */
export const ShownScreen = createContext<Screen | null>(null)
