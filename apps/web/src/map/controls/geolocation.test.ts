import { expect, test } from 'vitest'
import { geolocationFailure } from './geolocation.ts'

test('[MAP-11] a refused permission is an information with the text of the specification', () => {
  expect(geolocationFailure(1)).toEqual({
    kind: 'nfo',
    text: 'Activer le service de localisation pour afficher votre position sur la carte, puis recharger la page.',
  })
})

test('[MAP-12][MAP-13] an internal error and a timeout are errors that say so', () => {
  expect(geolocationFailure(2)).toMatchObject({
    kind: 'error',
    text: expect.stringMatching(/erreur interne/),
  })
  expect(geolocationFailure(3)).toMatchObject({
    kind: 'error',
    text: expect.stringMatching(/délai.*recharger/),
  })
})

test('[MAP-14] any other error', () => {
  for (const code of [undefined, 0, 4])
    expect(geolocationFailure(code)).toEqual({ kind: 'error', text: 'Erreur lors de la localisation.' })
})
