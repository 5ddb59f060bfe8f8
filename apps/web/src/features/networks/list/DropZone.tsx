import type { NetworkUploaded } from '@radx/contracts/networks'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { serverErrorText } from '../../../app/api/errors.ts'
import { networkTexts as texts } from '../../../texts/networks.ts'
import { sendingTexts } from '../../../texts/sending.ts'
import { FileDrop } from '../../../ui/FileDrop.tsx'
import { Message } from '../../../ui/Message.tsx'
import { type Sent, useSending } from '../../../ui/useSending.ts'
import { uploadNetwork } from '../api.ts'

/** Takes files by drop or by choice, one after another; a single new one opens its page. */
export function DropZone() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const sending = useSending<NetworkUploaded>()
  const take = (files: readonly File[]) =>
    sending.send(
      files,
      (file, way) => uploadNetwork(file, null, way),
      async (told) => {
        await queries.invalidateQueries({ queryKey: ['networks'] })
        const [only] = told
        if (files.length === 1 && only.state === 'done' && only.made.isNew)
          await navigate(`/reseaux/${only.made.id}`)
      },
    )
  return (
    <div>
      <FileDrop accept=".inp,.zip" texts={texts} onFiles={take} sending={sending} testId="network-drop" />
      {sending.told.map((sent, k) => (
        <Told key={`${sent.file} ${k}`} sent={sent} />
      ))}
    </div>
  )
}

function Told({ sent }: { sent: Sent<NetworkUploaded> }) {
  if (sent.state === 'cancelled') return <Message kind="nfo">{sendingTexts.cancelled(sent.file)}</Message>
  if (sent.state === 'refused')
    return (
      <Message kind="error">
        {texts.refused(sent.file)} {serverErrorText(sent.error)}
      </Message>
    )
  return sent.made.isNew ? null : <Message kind="nfo">{texts.same(sent.made.name)}</Message>
}
