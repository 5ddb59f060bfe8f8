import { LANGUAGE } from '@radx/locale/language'
import { useState } from 'react'
import { shellTexts } from '../texts/shell.ts'
import { QuietButton } from '../ui/Button.tsx'
import classes from './LanguageOffer.module.css'

const KEY = 'radx-language-offer'
const { offer, code } = shellTexts.otherLanguage

/** A browser that speaks no French is offered English, once; nothing changes unless its reader takes it. */
export function LanguageOffer() {
  const [open, setOpen] = useState(
    () => LANGUAGE === 'fr' && !/^fr\b/i.test(navigator.language) && !localStorage.getItem(KEY),
  )
  if (!open) return null
  const close = () => {
    localStorage.setItem(KEY, 'seen')
    setOpen(false)
  }
  return (
    <aside className={classes.root} lang={code} aria-label={offer.text}>
      <p>{offer.text}</p>
      <a href={`/langue/${code}`} onClick={close}>
        {offer.take}
      </a>
      <QuietButton onClick={close}>{offer.leave}</QuietButton>
    </aside>
  )
}
