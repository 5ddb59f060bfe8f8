import { describe, expect, test } from 'vitest'
import { ApiError, errorView, genericErrorText } from './errors.ts'

const DEFAULT = "De nouvelles données sont disponibles, merci d'actualiser la page."

describe('the error page', () => {
  test("[SHELL-25] shows the code, or '!' without one", () => {
    expect(errorView(new ApiError('http', 'x', { status: 503 })).code).toBe('503')
    for (const thrown of [new Error('x'), new ApiError('network', 'x'), null, 'x', { status: 0 }])
      expect(errorView(thrown).code).toBe('!')
  })

  test('[SHELL-26] shows the message, or else the status text', () => {
    expect(errorView(new ApiError('http', 'échec', { status: 404, serverMessage: 'Absent.' })).message).toBe(
      'Absent.',
    )
    expect(errorView({ status: 404, statusText: 'Not Found' }).message).toBe('Not Found')
    expect(errorView({ status: 404, message: '  ', statusText: 'Not Found' }).message).toBe('Not Found')
  })

  test('[SHELL-27] with neither it says by default that new data is there, as for a script that is gone', () => {
    const gone = new TypeError('Failed to fetch dynamically imported module: /assets/a-1.js')
    for (const thrown of [null, undefined, {}, { message: '', statusText: ' ' }, gone])
      expect(errorView(thrown).message).toBe(DEFAULT)
  })

  test('[SHELL-28] adds the apology for code 500 only', () => {
    expect(errorView({ status: 500 }).serverFault).toBe(true)
    for (const status of [400, 502, 503]) expect(errorView({ status }).serverFault).toBe(false)
  })
})

test("the generic text joins the error's and the server's message, and hints after 401", () => {
  const error = new ApiError('http', 'Échec 401', { status: 401, serverMessage: 'Session close.' })
  expect(genericErrorText(error)).toBe('Échec 401\u00a0: Session close. You may need to relogin.')
  expect(genericErrorText(new Error('perdu'))).toBe('perdu')
})

test('what the server says keeps its words and gets the spaces that must not break', () => {
  const error = new ApiError('http', 'x', {
    serverMessage: "Le bassin « x » n'existe pas : J-2 à K-1.",
  })
  expect(error.serverMessage).toBe("Le bassin «\u00a0x\u00a0» n'existe pas\u00a0: J-2 à K-1.")
})
