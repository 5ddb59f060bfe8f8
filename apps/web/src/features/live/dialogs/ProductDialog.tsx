import { Tooltip } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { genericErrorText } from '../../../app/api/errors.ts'
import { productsQuery } from '../../../app/products.ts'
import { useSite } from '../../../app/site.ts'
import { columnTexts } from '../../../texts/live-column.ts'
import { AppModal } from '../../../ui/AppModal.tsx'
import { Message } from '../../../ui/Message.tsx'
import { useLive } from '../state/store.ts'
import classes from './ProductDialog.module.css'

const texts = columnTexts.products

/** The radar's own products; those that are not active are shown but cannot be chosen. */
export default function ProductDialog({ onSelect }: { onSelect: (shortName: string) => void }) {
  const active = useLive((state) => state.product)
  const { products } = useSite()
  const made = new Set(products.flatMap((product) => (product.made ? [product.shortName] : [])))
  const { data: all, error } = useQuery(productsQuery)
  const data = all?.filter(({ shortName }) => !made.has(shortName))
  return (
    <AppModal type="selectProduct" title={texts.title} size="md">
      {error && <Message kind="error">{genericErrorText(error)}</Message>}
      <ul className={classes.list} aria-busy={data === undefined && error === null}>
        {data?.map((product) => (
          <li key={product.shortName}>
            <Tooltip label={texts.inactive} disabled={product.activeStatus}>
              <button
                type="button"
                className={classes.product}
                aria-disabled={!product.activeStatus}
                aria-current={product.shortName === active}
                aria-description={product.activeStatus ? undefined : texts.inactive}
                onClick={() => product.activeStatus && onSelect(product.shortName)}
              >
                <span className={classes.name}>{product.shortName}</span>
                <span className={classes.description}>{product.longName}</span>
                {product.shortName === active && (
                  <IconCheck size={18} stroke={2} aria-label={texts.current} />
                )}
              </button>
            </Tooltip>
          </li>
        ))}
      </ul>
    </AppModal>
  )
}
