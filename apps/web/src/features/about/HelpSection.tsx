import { IconHandFinger, IconKeyboard, IconMouse } from '@tabler/icons-react'
import { Link } from 'react-router'
import { helpTexts } from '../../texts/about.ts'
import classes from './HelpSection.module.css'

const ICONS = { mouse: IconMouse, keyboard: IconKeyboard, touch: IconHandFinger }

export function HelpSection() {
  return (
    <>
      <p className={classes.lead}>
        {helpTexts.lead} <Link to="/aide">{helpTexts.guide}</Link>
      </p>
      {helpTexts.groups.map(({ key, title, rows }) => {
        const Icon = ICONS[key]
        return (
          <section key={key} className={classes.group} aria-label={title}>
            <h3>
              <Icon size={22} stroke={1.5} aria-hidden />
              {title}
            </h3>
            <dl>
              {rows.map(([gesture, effect]) => (
                <div key={gesture}>
                  <dt>{key === 'keyboard' ? <Keys text={gesture} /> : gesture}</dt>
                  <dd>{effect}</dd>
                </div>
              ))}
            </dl>
          </section>
        )
      })}
    </>
  )
}

/** `Tab, Maj + Tab` as keys. */
function Keys({ text }: { text: string }) {
  return text
    .split(/( \+ |, | )/)
    .map((part, i) => (/^( \+ |, | )$/.test(part) ? part : <kbd key={`${i}-${part}`}>{part}</kbd>))
}
