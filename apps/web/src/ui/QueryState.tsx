import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { ApiError, genericErrorText } from '../app/api/errors.ts'
import { shellTexts } from '../texts/shell.ts'
import { Message } from './Message.tsx'

interface Props {
  query: UseQueryResult<unknown>
  /** What was asked for, or enough of it, is shown already. */
  there: boolean
  /** Said while it comes. */
  waits?: string
}

/** Why something that was asked for is not there: it comes, or failed and can be asked for again unless it does not exist. */
export function QueryState({ query, there, waits = shellTexts.loading }: Props) {
  const isNowhere = query.error instanceof ApiError && query.error.status === 404
  if (query.isError)
    return (
      <Message
        kind="error"
        action={
          isNowhere ? undefined : (
            <Button size="compact-sm" variant="default" onClick={() => void query.refetch()}>
              {shellTexts.retry}
            </Button>
          )
        }
      >
        {genericErrorText(query.error)}
      </Message>
    )
  return query.isFetching && !there ? <p role="status">{waits}</p> : null
}
