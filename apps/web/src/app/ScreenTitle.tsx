import { use } from 'react'
import { ShownScreen } from './screen.ts'

/** The screen's name as its heading, for those who hear it: where the screen itself shows none. */
export function ScreenTitle() {
  return <h1 className="rx-visually-hidden">{use(ShownScreen)?.title}</h1>
}
