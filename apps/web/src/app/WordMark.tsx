import classes from './WordMark.module.css'

/** Word marks of the partners, drawn by us in one neutral weight. */
export interface Partner {
  name: string
  /** Short form that the mark spells. */
  mark: string
  /** Small geometric sign before the word, on a 16 x 16 field. */
  sign: string
}

export const PARTNERS: Partner[] = [
  { name: 'École des ponts', mark: 'École des ponts', sign: 'M1 12C3 5 13 5 15 12M1 12H15M5 12V8M11 12V8' },
  {
    name: 'Laboratoire HM&Co',
    mark: 'HM&Co',
    sign: 'M8 2C5 6 3.500 8 3.500 10.500a4.500 4.500 0 0 0 9 0C12.500 8 11 6 8 2Z',
  },
  {
    name: 'Région Île-de-France',
    mark: 'Île-de-France',
    sign: 'M8 2 9.700 6.300 14 8 9.700 9.700 8 14 6.300 9.700 2 8 6.300 6.300Z',
  },
  { name: 'Interreg RainGain', mark: 'RainGain', sign: 'M3 13V9M6.500 13V5M10 13V7M13.500 13V3' },
]

export function WordMark({ name, mark, sign }: Partner) {
  return (
    <span role="img" aria-label={name} className={classes.root}>
      <svg width={16} height={16} viewBox="0 0 16 16" aria-hidden>
        <path
          d={sign}
          fill="none"
          stroke="currentColor"
          strokeWidth={1.5}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {mark}
    </span>
  )
}
