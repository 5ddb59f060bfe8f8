import { Tooltip } from '@mantine/core'
import type { Product } from '@radx/contracts/radar'
import { selectionTexts as texts } from '../texts/selection.ts'
import classes from './ProductPicker.module.css'

interface Props {
  products: readonly Product[]
  value: string
  onChange: (shortName: string) => void
}

/** The radar products as a row of choices; those that are not active are shown but cannot be chosen. */
export function ProductPicker({ products, value, onChange }: Props) {
  return (
    <fieldset className={classes.root}>
      <legend className={classes.legend}>{texts.product}</legend>
      <div className={classes.choices}>
        {products.map((product) => (
          <Tooltip
            key={product.shortName}
            label={product.activeStatus ? product.longName : texts.productInactive}
          >
            <label className={classes.choice} data-disabled={!product.activeStatus}>
              <input
                type="radio"
                name="product"
                value={product.shortName}
                checked={product.shortName === value}
                disabled={!product.activeStatus}
                aria-description={product.activeStatus ? undefined : texts.productInactive}
                onChange={() => onChange(product.shortName)}
              />
              {product.shortName}
            </label>
          </Tooltip>
        ))}
      </div>
    </fieldset>
  )
}
