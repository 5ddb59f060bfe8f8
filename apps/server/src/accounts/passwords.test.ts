import { hash } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import {
  checkNewPassword,
  commonPasswords,
  hashPassword,
  needsRehash,
  verifyPassword,
  verifyUnknown,
} from './passwords.ts'

describe('passwords', () => {
  test('a password is kept as argon2id with its own salt and checks only against itself', async () => {
    const [one, two] = await Promise.all([hashPassword('pluie-été'), hashPassword('pluie-été')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toBe(two)
    expect(await verifyPassword(one, 'pluie-été')).toBe(true)
    expect(await verifyPassword(one, 'pluie-ete')).toBe(false)
  })

  test('composed and decomposed accents are the same password', async () => {
    const stored = await hashPassword('e\u0301te\u0301')
    expect(await verifyPassword(stored, '\u00e9t\u00e9')).toBe(true)
  })

  test('a stored text that is no hash never opens', async () => {
    for (const stored of ['', 'demo', '$argon2id$v=19$m=19456,t=2,p=1$', '$2b$10$abc'])
      expect(await verifyPassword(stored, 'demo')).toBe(false)
  })

  test('an unknown name costs a real check and is always refused', async () => {
    expect(await verifyUnknown('no account has this one')).toBe(false)
  })

  test('a weaker policy is noticed', async () => {
    expect(needsRehash(await hashPassword('abcdefgh'))).toBe(false)
    expect(needsRehash(await hash('abcdefgh', { memoryCost: 4096, timeCost: 1, parallelism: 1 }))).toBe(true)
  })

  test('a new password of 7 characters is refused, one of 8 is taken, emoji count as one', async () => {
    await expect(checkNewPassword('1234567', 'x')).rejects.toThrow(/entre 8 et 512/)
    await expect(checkNewPassword('12345_78', 'x')).resolves.toBeUndefined()
    await expect(checkNewPassword('🌧🌧🌧🌧', 'x')).rejects.toThrow(/entre 8 et 512/)
    await expect(checkNewPassword('a'.repeat(513), 'x')).rejects.toThrow(/entre 8 et 512/)
  })

  test('the 49,233 passwords of the pinned list are refused in any case, and so is the account’s own name', async () => {
    expect((await commonPasswords()).size).toBe(49_233)
    for (const word of ['12345678', 'Password123', 'MOTDEPASSE', 'azertyuiop', 'ｐａｓｓｗｏｒｄ１'])
      await expect(checkNewPassword(word, 'x'), word).rejects.toThrow(/trop courant/)
    await expect(checkNewPassword('Jean.Martin', 'jean.martin')).rejects.toThrow(/trop courant/)
    const ofTheContext = [
      'radx2026!',
      '1-Radar-2',
      'gestionnaire',
      'jeanmartin1',
      'Radar, pluie',
      'jeanmartin-jeanmartin',
    ]
    for (const word of ofTheContext)
      await expect(checkNewPassword(word, 'jean.martin'), word).rejects.toThrow(/trop courant/)
    await expect(checkNewPassword('parapluie bleu', 'jean.martin')).resolves.toBeUndefined()
  })
})
