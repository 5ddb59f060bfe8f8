import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import classes from './IconButton.module.css'

interface Props extends ComponentPropsWithoutRef<'button'> {
  /** Name for assistive technology, also shown as a tip on hover and focus. */
  label: string
  /** Side on which the tip opens. */
  tip?: 'top' | 'bottom' | 'left' | 'right'
  size?: number
  /** `filled` for the one that matters most beside it, `default` with an outline. */
  variant?: 'subtle' | 'filled' | 'default'
  /** Under way: shows it, and takes no click. */
  loading?: boolean
  children: ReactNode
}

/** A button that is an icon. Plain, tip included, so that the first page carries no library for it. */
export function IconButton({ label, tip = 'top', size = 36, variant, loading = false, ...props }: Props) {
  const { className, style, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || loading}
      aria-busy={loading || undefined}
      data-loading={loading || undefined}
      aria-label={label}
      data-tip={label}
      data-side={tip}
      data-variant={variant ?? 'subtle'}
      style={{ width: size, height: size, ...style }}
      className={`${classes.root} ${className ?? ''}`}
    />
  )
}
