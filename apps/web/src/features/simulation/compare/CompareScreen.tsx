import { NativeSelect } from '@mantine/core'
import { useAddressParams } from '../../../app/address-params.ts'
import { genericErrorText } from '../../../app/api/errors.ts'
import { compareTexts as texts } from '../../../texts/compare.ts'
import { Message } from '../../../ui/Message.tsx'
import page from '../../../ui/Page.module.css'
import { type CompareAddress, readCompare, writeCompare } from './address.ts'
import classes from './Compare.module.css'
import { Maps } from './Maps.tsx'
import { RunChooser } from './RunChooser.tsx'
import { RunTable } from './RunTable.tsx'
import { Spread } from './Spread.tsx'
import { useRuns } from './useRuns.ts'

/** Any number of finished runs: their figures, their floods side by side, and what changes with what. */
export default function CompareScreen() {
  const [params, setParams] = useAddressParams()
  const address = readCompare(params)
  const { list, finished, runs } = useRuns(address.runs)
  const write = (replace: boolean) => (change: Partial<CompareAddress>) =>
    setParams((before) => writeCompare(before, change), { replace })
  // What was chosen is a step back; how it is shown is not.
  const [go, change] = [write(false), write(true)]
  const there = runs.filter(({ item }) => item !== null)
  return (
    <div className={`${page.root} ${classes.root}`}>
      <header>
        <h1>{texts.heading}</h1>
        <p className={classes.note}>{texts.lead}</p>
      </header>
      {list.error && !list.data && <Message kind="error">{genericErrorText(list.error)}</Message>}
      <RunChooser
        finished={finished}
        isPending={list.isPending}
        chosen={address.runs}
        onChange={(chosen) => go({ runs: chosen })}
      />
      {list.data && address.runs.length === 0 && <p className={classes.note}>{texts.few}</p>}
      {runs.length > 0 && list.data && (
        <>
          {there.length > 1 && (
            <NativeSelect
              className={classes.base}
              label={texts.base}
              value={address.base ?? ''}
              data={[
                { value: '', label: texts.noBase },
                ...there.map(({ id, title }) => ({ value: id, label: title })),
              ]}
              onChange={({ currentTarget }) => go({ base: currentTarget.value || null })}
            />
          )}
          <RunTable
            {...{ runs, address, change }}
            onRemove={(id) => go({ runs: address.runs.filter((other) => other !== id) })}
          />
          <Maps runs={there} base={there.find(({ id }) => id === address.base) ?? null} />
          <Spread {...{ runs: there, address, change }} />
        </>
      )}
    </div>
  )
}
