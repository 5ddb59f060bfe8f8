import { SegmentedControl } from '@mantine/core'
import { useMemo } from 'react'
import { sewerTexts as texts } from '../texts/sewer.ts'
import type { TownOf } from '../town/api.ts'
import classes from './Analysis.module.css'
import { NetworkMap } from './NetworkMap.tsx'
import { LinkTable, NodeTable } from './NetworkTable.tsx'
import type { SewerNetwork } from './network.ts'
import { SelectionPanel } from './SelectionPanel.tsx'
import { ANALYSES, type Analysis } from './selection.ts'
import type { Choice } from './useChoice.ts'

interface Props {
  network: SewerNetwork
  choice: Choice
  hasReference?: boolean
  /** Names of the nodes of the closed path. */
  path: readonly string[]
  /** Ground below the map. */
  town?: TownOf
  /** Places are of no known plane. */
  plane?: boolean
  /** A subcatchment of the map is picked. */
  onPickArea?: (name: string) => void
}

/** Kinds of analysis, what is chosen, and the network on the map beside its table. */
export function NetworkView({ network, choice, hasReference = false, path, town, plane, onPickArea }: Props) {
  const { analysis, names, unknown, turnTo, pick, clear } = choice
  const rows = useMemo(
    () => (path.length === 0 ? network.nodes : path.flatMap((name) => network.node.get(name) ?? [])),
    [network, path],
  )
  return (
    <>
      <SegmentedControl
        className={classes.types}
        aria-label={texts.analysis}
        value={analysis}
        onChange={(value) => turnTo(value as Analysis)}
        data={ANALYSES.map((value) => ({ value, label: texts.types[value] }))}
      />
      <SelectionPanel
        analysis={analysis}
        names={names}
        unknown={unknown}
        hasReference={hasReference}
        onReset={clear}
      />
      <div className={classes.network}>
        <section aria-label={texts.map}>
          <NetworkMap
            town={town}
            network={network}
            analysis={analysis}
            names={names}
            path={path}
            onPick={pick}
            onPickArea={onPickArea}
            plane={plane}
          />
        </section>
        {analysis === 'link' ? (
          <LinkTable
            key={analysis}
            caption={texts.tables.links}
            rows={network.links}
            chosen={names}
            onPick={pick}
          />
        ) : (
          <NodeTable
            key={`${analysis} ${path.length > 0}`}
            caption={path.length > 0 ? texts.tables.path : texts.tables.nodes}
            rows={rows}
            chosen={names}
            onPick={pick}
          />
        )}
      </div>
    </>
  )
}
