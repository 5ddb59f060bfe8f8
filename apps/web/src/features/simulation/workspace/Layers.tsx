import { IconStack2 } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { workspaceTexts as texts } from '../../../texts/workspace.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { useAsked } from '../../../ui/useAsked.ts'
import { SURFACE_LAYERS, type SurfaceLayer } from './address.ts'
import { useWorkspace } from './useWorkspace.ts'
import classes from './Workspace.module.css'

/** Maps that are asked for now and then: folded, so that the panel fits a small window. */
const RARER: readonly SurfaceLayer[] = [
  'defra',
  'arrivee',
  'duree',
  'duree5',
  'duree50',
  'debit',
  'infiltration',
]

interface Props {
  /** There is a reference to compare with. */
  compared: boolean
  hasNetwork: boolean
  /** Legend of what is shown. */
  children: ReactNode
}

/** What the map shows: one layer of water, and the network over it. */
export function Layers({ compared, hasNetwork, children }: Props) {
  const { layer: addressed, network: addressedNetwork, go } = useWorkspace()
  const [layer, setLayer] = useAsked(addressed)
  const [network, setNetwork] = useAsked(addressedNetwork)
  const [open, setOpen] = useState(() => window.matchMedia('(min-width: 62em)').matches)
  const id = useId()
  const names = SURFACE_LAYERS.filter((name) => name !== 'ecart' || compared)
  const radio = (name: SurfaceLayer) => (
    <label key={name}>
      <input
        type="radio"
        name="couche"
        checked={layer === name}
        onChange={() => {
          setLayer(name)
          go({ layer: name })
        }}
      />
      {texts.layerNames[name]}
    </label>
  )
  return (
    <section className={classes.layers} aria-label={texts.layers} data-open={open}>
      <IconButton
        label={open ? texts.foldLayers : texts.unfoldLayers}
        tip="right"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <IconStack2 size={20} stroke={1.75} />
      </IconButton>
      <div id={id} hidden={!open}>
        <fieldset>
          <legend>{texts.water}</legend>
          {names.filter((name) => !RARER.includes(name)).map(radio)}
          <details className={classes.more} open={RARER.includes(layer) || undefined}>
            <summary>{texts.moreLayers}</summary>
            {names.filter((name) => RARER.includes(name)).map(radio)}
          </details>
        </fieldset>
        {hasNetwork && (
          <label className={classes.toggle}>
            <input
              type="checkbox"
              checked={network}
              onChange={({ currentTarget }) => {
                setNetwork(currentTarget.checked)
                go({ network: currentTarget.checked })
              }}
            />
            {texts.network}
          </label>
        )}
        {children}
      </div>
    </section>
  )
}
