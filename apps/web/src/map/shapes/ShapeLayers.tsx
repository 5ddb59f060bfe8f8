import { useLocalStorage } from '@mantine/hooks'
import type { Shapefile } from '@radx/contracts/shapefiles'
import { IconStack2 } from '@tabler/icons-react'
import { useState } from 'react'
import { useShapefiles } from '../../app/auth/shapefiles.ts'
import { mapTexts as texts } from '../../texts/map.ts'
import { ShapeLayer } from './ShapeLayer.tsx'
import classes from './Shapes.module.css'

const NONE: string[] = []

/** The account's own layers on the map, and the control that shows and hides them. */
export function ShapeLayers() {
  const { layers, failed } = useShapefiles()
  const [hidden, setHidden] = useLocalStorage<string[]>({ key: 'radx-hidden-layers', defaultValue: NONE })
  const [open, setOpen] = useState(false)
  const [hovered, setHovered] = useState<{ layer: string; name: string } | null>(null)
  if (layers.length === 0 && !failed) return null
  const toggle = ({ name }: Shapefile) =>
    setHidden((before) =>
      before.includes(name) ? before.filter((other) => other !== name) : [...before, name],
    )
  return (
    <>
      {layers.map((layer) => (
        <ShapeLayer
          key={layer.name}
          layer={layer}
          visible={!hidden.includes(layer.name)}
          onHover={(name) => setHovered(name === null ? null : { layer: layer.longName, name })}
        />
      ))}
      <section className={classes.control} aria-label={texts.layersOwn}>
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          <IconStack2 size={18} stroke={1.75} aria-hidden />
          {texts.layers}
        </button>
        {open && (
          <ul>
            {layers.map((layer) => (
              <li key={layer.name}>
                <label title={layer.desc || undefined}>
                  <input
                    type="checkbox"
                    checked={!hidden.includes(layer.name)}
                    onChange={() => toggle(layer)}
                  />
                  <span className={classes.swatch} style={{ background: layer.color }} />
                  {layer.longName}
                </label>
              </li>
            ))}
            {failed && <li className={classes.failed}>{texts.layersFailed}</li>}
          </ul>
        )}
      </section>
      {hovered && (
        <p className={classes.hover} role="status">
          <strong>{hovered.name}</strong> {hovered.layer}
        </p>
      )}
    </>
  )
}
