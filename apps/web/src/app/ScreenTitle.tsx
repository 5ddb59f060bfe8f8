import { useScreen } from './routes.tsx'

/** The screen's name as its heading, for those who hear it: where the screen itself shows none. */
export function ScreenTitle() {
  return <h1 className="rx-visually-hidden">{useScreen()?.title}</h1>
}
