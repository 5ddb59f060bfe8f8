import { expect, test } from 'vitest'
import { languageOf } from './cookie.ts'
import { pageBefore } from './routes.ts'
import { messageInEnglish } from './translate.ts'

test.each([
  [undefined, 'fr'],
  ['radx-language=fr', 'fr'],
  ['a=b; radx-language=en; c=d', 'en'],
  ['not-radx-language=en', 'fr'],
  ['radx-language=english', 'fr'],
])('the cookie %s means %s', (cookie, language) => {
  expect(languageOf({ headers: { cookie } })).toBe(language)
})

test.each([
  [undefined, '/'],
  ['https://radx.example/analyse?b=melun&s=1', '/analyse?b=melun&s=1'],
  ['https://radx.example/langue/en', '/'],
  ['https://radx.example//evil.example/', '/'],
  ['https://radx.example/\\evil.example/', '/'],
  ['https://evil.example/analyse', '/'],
  ['no address', '/'],
])('from %s the switch leads to %s', (referer, path) => {
  expect(pageBefore(referer, 'radx.example')).toBe(path)
})

test('messages in a row, with values that are messages, and texts that are none', () => {
  expect(messageInEnglish('boundaries.csv, ligne 3 : h vaut « x » ; il faut un nombre.')).toBe(
    'boundaries.csv, line 3: h is “x”; a number is needed.',
  )
  expect(messageInEnglish('Calcul annulé. Le fichier est vide.')).toBe(
    'Computation cancelled. The file is empty.',
  )
  for (const text of ['', 'Melun', 'Orage de 60 mm : essai 3', 'a'.repeat(30_000)])
    expect(messageInEnglish(text)).toBe(text)
})
