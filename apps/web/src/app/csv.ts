import { csvInDialect } from '@radx/locale/csv'
import { saveBlob } from './api/download.ts'
import { useAuth } from './auth/store.ts'

/** Saves a CSV text (commas and points) as the account wants its files written. */
export const saveCsv = (text: string, filename: string): void =>
  saveBlob(
    new Blob([csvInDialect(text, useAuth.getState().csv)], { type: 'text/csv;charset=utf-8' }),
    filename,
  )
