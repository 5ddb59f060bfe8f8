import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { referenceTexts } from '../../../texts/sewer.ts'
import { workspaceTexts as texts } from '../../../texts/workspace.ts'
import { similarQuery } from '../result/reference/api.ts'
import { useResult } from '../result/state.ts'

/** The run that this one is compared with; nothing where no other is like it. */
export function CompareWith({ jobId }: { jobId: string }) {
  const { reference, choose } = useResult()
  const { data: similar } = useQuery(similarQuery(jobId))
  if (!similar || (similar.length === 0 && reference.id === '')) return null
  return (
    <NativeSelect
      label={texts.compareWith}
      size="sm"
      value={similar.some(({ _id }) => _id === reference.id) ? reference.id : ''}
      data={[
        { value: '', label: referenceTexts.noneChosen },
        ...similar.map(({ _id, input }) => ({ value: _id, label: input.title })),
      ]}
      onChange={({ currentTarget: { value } }) => {
        const run = similar.find(({ _id }) => _id === value)
        choose(run ? { id: run._id, title: run.input.title } : null)
      }}
    />
  )
}
