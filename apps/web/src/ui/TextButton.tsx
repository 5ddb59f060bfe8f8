import type { ComponentPropsWithoutRef } from 'react'
import classes from './TextButton.module.css'

/** A button that reads as a link: a way on beside a text. */
export function TextButton({ className, ...rest }: ComponentPropsWithoutRef<'button'>) {
  return <button type="button" {...rest} className={`${classes.root} ${className ?? ''}`} />
}
