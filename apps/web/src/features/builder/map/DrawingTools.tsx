import { useEffect } from 'react'
import { useRadxMap } from '../../../map/context.ts'
import { builderTexts } from '../../../texts/builder.ts'
import { PrimaryButton, QuietButton } from '../../../ui/Button.tsx'
import classes from '../Builder.module.css'
import { drawnOutline, withOutline } from '../outline.ts'
import { useBuilder } from '../useBuilder.ts'

const texts = builderTexts.draw
const LEAST_VERTICES = 3

/** What can be done with an outline while it is drawn, on the map itself. */
export function DrawingTools() {
  const { map } = useRadxMap()
  const { drawing, setDrawing, change } = useBuilder()
  const isDrawing = drawing !== null
  useEffect(() => {
    if (isDrawing) map.getContainer().scrollIntoView({ block: 'nearest' })
  }, [map, isDrawing])
  const close = () => {
    if (drawing === null || drawing.length < LEAST_VERTICES) return
    change((before) => withOutline(before, drawnOutline(drawing)))
    setDrawing(() => null)
  }
  useEffect(() => {
    if (!isDrawing) return
    const onKey = (event: KeyboardEvent) => {
      // A button under the focus is what Enter presses.
      if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) close()
      if (event.key === 'Escape') setDrawing(() => null)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  })
  if (drawing === null) return null
  return (
    <fieldset className={classes.tools} aria-label={texts.tools}>
      <PrimaryButton disabled={drawing.length < LEAST_VERTICES} onClick={close}>
        {texts.done}
      </PrimaryButton>
      <QuietButton
        onClick={() => {
          const { lng, lat } = map.getCenter()
          setDrawing((before) => before && [...before, [lng, lat]])
        }}
      >
        {texts.centre}
      </QuietButton>
      <QuietButton
        disabled={drawing.length === 0}
        onClick={() => setDrawing((before) => before?.slice(0, -1) ?? null)}
      >
        {texts.undo}
      </QuietButton>
      <QuietButton onClick={() => setDrawing(() => null)}>{texts.cancel}</QuietButton>
      <p role="status">{texts.points(drawing.length)}</p>
    </fieldset>
  )
}
