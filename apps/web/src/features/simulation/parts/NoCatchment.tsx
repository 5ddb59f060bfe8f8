import { useSite } from '../../../app/site.ts'
import { formTexts as texts } from '../../../texts/simulation.ts'
import { Message } from '../../../ui/Message.tsx'

/** Why there is no catchment: a demonstration makes its own after the first start, elsewhere somebody imports one. */
export function NoCatchment() {
  const { demo } = useSite()
  return demo ? (
    <Message kind="nfo">{texts.catchmentComing}</Message>
  ) : (
    <Message kind="warning">{texts.noCatchment}</Message>
  )
}
