import type { MadeProduct } from '@radx/contracts/reprocessing'
import { formatNumberFr } from '@radx/locale/format-fr'
import { civilDay } from '@radx/locale/time'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { serverErrorText } from '../../../app/api/errors.ts'
import { useSite } from '../../../app/site.ts'
import { administrationTexts } from '../../../texts/administration.ts'
import { reprocessingTexts as texts } from '../../../texts/reprocessing.ts'
import { AskedRemoval } from '../../../ui/AskedRemoval.tsx'
import { Message } from '../../../ui/Message.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import classes from '../AdminScreen.module.css'
import { AdminTable } from '../AdminTable.tsx'
import { Instant } from '../Instant.tsx'
import { reprocessingsQuery, useRemoval } from './api.ts'
import { Comparison } from './Comparison.tsx'
import { OrderForm } from './OrderForm.tsx'

/** Kept volumes through the chain again: what to make, what was made, and how it compares. */
export default function ReprocessingPart() {
  const { data, error } = useQuery(reprocessingsQuery)
  const [compared, setCompared] = useState<string | null>(null)
  const product = data?.products.find(({ shortName, ready }) => shortName === compared && ready)
  return (
    <>
      {error && <Message kind="error">{serverErrorText(error)}</Message>}
      {!data && !error && <p role="status">{administrationTexts.loading}</p>}
      {data && (
        <>
          <section className={classes.section} aria-labelledby="made-title">
            <h2 id="made-title">{texts.productsTitle}</h2>
            {data.products.length === 0 ? (
              <p>{texts.none}</p>
            ) : (
              <Products products={data.products} onCompare={setCompared} />
            )}
          </section>
          {product && (
            <Comparison
              key={`${product.shortName} ${product.madeAt}`}
              product={product}
              onClose={() => setCompared(null)}
            />
          )}
          <section className={classes.section} aria-labelledby="reprocessing-title">
            <h2 id="reprocessing-title">{texts.title}</h2>
            <p>{texts.help}</p>
            <OrderForm site={data.site} />
          </section>
        </>
      )}
    </>
  )
}

interface ProductsProps {
  products: MadeProduct[]
  onCompare: (name: string) => void
}

function Products({ products, onCompare }: ProductsProps) {
  const removal = useRemoval()
  return (
    <>
      {removal.error && <Message kind="error">{serverErrorText(removal.error)}</Message>}
      <AdminTable
        caption={texts.productsTitle}
        heads={[texts.product, texts.period, texts.frames, texts.by, texts.actions]}
        rows={products.map((product) => ({
          key: product.shortName,
          cells: [
            <>
              {product.longName}
              <small>
                {product.shortName}, {texts.of(product.source)} ; {parametersText(product)}
              </small>
            </>,
            <>
              <Instant at={product.start} />
              <br />
              <Instant at={product.end} />
            </>,
            <>
              {formatNumberFr(product.frames, 0)}
              {!product.ready && <small>{texts.underWay}</small>}
            </>,
            <>
              {product.madeBy}
              <small>
                <Instant at={product.madeAt} />
              </small>
            </>,
            <Actions key="act" product={product} onCompare={onCompare} onRemove={removal.mutate} />,
          ],
        }))}
      />
    </>
  )
}

interface ActionsProps extends Pick<ProductsProps, 'onCompare'> {
  product: MadeProduct
  onRemove: (name: string) => void
}

function Actions({ product: { shortName, ready, start }, onCompare, onRemove }: ActionsProps) {
  const { timeZone } = useSite()
  const day = civilDay(Date.parse(start), timeZone)
  const query = new URLSearchParams({ p: shortName, m: day.slice(0, 7), d: day })
  if (!ready) return '–'
  return (
    <div className={classes.pair}>
      <Link to={`/analyse?${query}`}>{texts.open}</Link>
      <TextButton aria-label={`${texts.compare} : ${shortName}`} onClick={() => onCompare(shortName)}>
        {texts.compare}
      </TextButton>
      <AskedRemoval
        label={texts.remove}
        name={`${texts.remove} : ${shortName}`}
        ask={texts.removeAsk(shortName)}
        onYes={() => onRemove(shortName)}
      />
    </div>
  )
}

/** The settings that are not the site's, as site.json writes them. */
function parametersText({ parameters }: MadeProduct): string {
  const { alpha, b, rainOfA, sweeps, highestDeg, noPhase, horizon } = parameters
  const number = (value: number) => formatNumberFr(value, 3)
  const changed = [
    sweeps !== undefined && texts.changed.sweeps(number(sweeps)),
    highestDeg !== undefined && texts.changed.highestDeg(number(highestDeg)),
    alpha !== undefined && texts.changed.alpha(number(alpha)),
    b !== undefined && texts.changed.b(number(b)),
    rainOfA && texts.changed.rainOfA(number(rainOfA.a), number(rainOfA.b)),
    noPhase && texts.noPhases[noPhase],
    horizon && (horizon.length === 0 ? texts.changed.noHorizon : texts.changed.horizon),
  ].filter((part) => typeof part === 'string')
  return changed.length === 0 ? texts.asSite : changed.join(', ')
}
