import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { closeModal, openModal, useModal } from './modals.ts'

const TYPES = [
  'user',
  'selectProduct',
  'help',
  'weatherStation',
  'userEvent',
  'userEventDeleteConfirm',
] as const

test('[SHELL-24] each display type of the specification has its dialog', () => {
  const root = resolve(import.meta.dirname, '..')
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx') && !name.includes('.test.'))
    .map((name) => readFileSync(join(root, name), 'utf8'))
    .join('\n')
  const shown = new Set([...sources.matchAll(/<AppModal\s+type="(\w+)"/g)].map((match) => match[1]))
  for (const type of TYPES) expect([...shown], type).toContain(type)
})

test('[SHELL-24] one dialog is open at a time', () => {
  for (const type of TYPES) {
    openModal(type)
    expect(useModal.getState().type).toBe(type)
  }
  closeModal()
  expect(useModal.getState().type).toBeNull()
})
