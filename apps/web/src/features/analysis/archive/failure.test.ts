import { expect, test } from 'vitest'
import { ApiError } from '../../../app/api/errors.ts'
import { archiveFailure } from './failure.ts'

test('[ERR-03] [ERR-04] [ERR-05] what the response says is shown', () => {
  const error = new ApiError('http', 'La requête a échoué avec le code 403', {
    status: 403,
    statusText: 'Forbidden',
    serverMessage: 'Hors de vos dates.',
  })
  expect(archiveFailure(error)).toEqual({
    code: 403,
    statusText: 'Forbidden',
    message: 'Hors de vos dates.',
  })
})

test("[ERR-03] [ERR-04] [ERR-05] without a response it is 408 'Time out' with the message to retry", () => {
  const late = {
    code: 408,
    statusText: 'Time out',
    message: 'The request took too long, please retry in a few minutes.',
  }
  expect(archiveFailure(new ApiError('timeout', 'x'))).toEqual(late)
  expect(archiveFailure(new ApiError('network', 'x'))).toEqual(late)
  expect(archiveFailure(new DOMException('aborted', 'AbortError'))).toEqual(late)
  expect(archiveFailure(new ApiError('http', 'x', { status: 502 }))).toEqual({ ...late, code: 502 })
})
