import { Loader } from '@mantine/core'

interface Props {
  /** What is on its way, in words: a turning ring says nothing to who does not see it. */
  label: string
  size?: 'sm' | 'md'
  className?: string
}

/** Something is on its way. */
export function Waiting({ label, size = 'md', className }: Props) {
  return (
    <div role="status" className={className}>
      <Loader size={size} aria-hidden />
      <span className="rx-visually-hidden">{label}</span>
    </div>
  )
}
