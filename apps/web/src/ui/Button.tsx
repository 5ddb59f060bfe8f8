import type { ComponentPropsWithoutRef } from 'react'
import classes from './Button.module.css'

type Props = ComponentPropsWithoutRef<'button'>

/** The one thing that a place is for. */
export function PrimaryButton({ className, ...rest }: Props) {
  return <button type="button" {...rest} className={`${classes.primary} ${className ?? ''}`} />
}

/** An icon and a word with a thin edge, for what else can be done. */
export function QuietButton({ className, ...rest }: Props) {
  return <button type="button" {...rest} className={`${classes.quiet} ${className ?? ''}`} />
}
