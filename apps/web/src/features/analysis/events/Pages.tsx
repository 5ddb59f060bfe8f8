import { EVENT_PAGE_SIZES } from '@radx/contracts/constants'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { eventTexts as texts } from '../../../texts/events.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import classes from './EventsSection.module.css'
import { pageWindow } from './list.ts'

interface Props {
  page: number
  pages: number
  size: number
  onPage: (page: number) => void
  onSize: (size: number) => void
}

export function Pages({ page, pages, size, onPage, onSize }: Props) {
  return (
    <div className={classes.pages}>
      {pages > 1 && (
        <nav aria-label={texts.pages}>
          <IconButton label={texts.previous} size={32} disabled={page === 1} onClick={() => onPage(page - 1)}>
            <IconChevronLeft size={16} stroke={1.75} />
          </IconButton>
          {pageWindow(page, pages).map((number, i) =>
            number === null ? (
              <span key={`gap${i}`} aria-hidden>
                …
              </span>
            ) : (
              <button
                key={number}
                type="button"
                className={classes.page}
                aria-label={texts.page(number)}
                aria-current={number === page ? 'page' : undefined}
                onClick={() => onPage(number)}
              >
                {number}
              </button>
            ),
          )}
          <IconButton label={texts.next} size={32} disabled={page === pages} onClick={() => onPage(page + 1)}>
            <IconChevronRight size={16} stroke={1.75} />
          </IconButton>
        </nav>
      )}
      <label className={classes.size}>
        {texts.perPage}
        <select value={size} onChange={(event) => onSize(Number(event.target.value))}>
          {EVENT_PAGE_SIZES.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
