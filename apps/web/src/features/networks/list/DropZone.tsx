import { FileButton } from '@mantine/core'
import type { NetworkUploaded } from '@radx/contracts/networks'
import { IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { serverErrorText } from '../../../app/api/errors.ts'
import { networkTexts as texts } from '../../../texts/networks.ts'
import { PrimaryButton } from '../../../ui/Button.tsx'
import { Message } from '../../../ui/Message.tsx'
import { useOneAtATime } from '../../../ui/one-at-a-time.ts'
import { uploadNetwork } from '../api.ts'
import classes from '../Networks.module.css'

interface Refusal {
  name: string
  why: string
}

/** Takes files by drop or by choice, one after another; a single new one opens its page. */
export function DropZone() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const oneAtATime = useOneAtATime()
  const [over, setOver] = useState(false)
  const [sending, setSending] = useState<string | null>(null)
  const [refused, setRefused] = useState<readonly Refusal[]>([])
  const [same, setSame] = useState<readonly string[]>([])

  const take = (files: readonly File[]) => {
    if (files.length === 0) return
    oneAtATime(async (ended) => {
      setRefused([])
      setSame([])
      const made: NetworkUploaded[] = []
      const wrong: Refusal[] = []
      for (const file of files) {
        setSending(file.name)
        try {
          made.push(await uploadNetwork(file, null))
        } catch (error) {
          wrong.push({ name: file.name, why: serverErrorText(error) })
        }
      }
      setSending(null)
      ended()
      setRefused(wrong)
      setSame(made.filter(({ isNew }) => !isNew).map(({ name }) => name))
      await queries.invalidateQueries({ queryKey: ['networks'] })
      if (files.length === 1 && made[0]?.isNew) await navigate(`/reseaux/${made[0].id}`)
    })
  }
  const onDrag = (event: DragEvent, inside: boolean) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(inside)
  }
  return (
    <div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard */}
      <div
        className={classes.drop}
        data-over={over || undefined}
        data-testid="network-drop"
        aria-busy={sending !== null}
        onDragEnter={(event) => onDrag(event, true)}
        onDragOver={(event) => onDrag(event, true)}
        onDragLeave={(event) =>
          onDrag(event, event.currentTarget.contains(event.relatedTarget as Node | null))
        }
        onDrop={(event) => {
          onDrag(event, false)
          take([...event.dataTransfer.files])
        }}
      >
        <IconUpload size={28} stroke={1.5} aria-hidden />
        {sending === null ? (
          <>
            <p>{over ? texts.dropHere : texts.drop}</p>
            <FileButton accept=".inp,.zip" multiple onChange={take}>
              {(props) => <PrimaryButton {...props}>{texts.choose}</PrimaryButton>}
            </FileButton>
            <small>{texts.limits}</small>
          </>
        ) : (
          <p role="status">{texts.sending(sending)}</p>
        )}
      </div>
      {refused.map(({ name, why }) => (
        <Message key={name} kind="error">
          {texts.refused(name)} {why}
        </Message>
      ))}
      {same.map((name) => (
        <Message key={name} kind="nfo">
          {texts.same(name)}
        </Message>
      ))}
    </div>
  )
}
