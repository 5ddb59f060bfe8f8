import type { LuseConfig } from '@radx/contracts/simulation'
import { landUseTexts as texts } from '../../../texts/simulation.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import classes from './CodeModal.module.css'
import { MeasureFacts } from './MeasureFacts.tsx'
import { Property } from './PropertyText.tsx'

const PROPERTIES = ['kh', 'capsh', 'soilmd', 'nmanningov', 'interceptionclass'] as const

/** What a land-use code stands for. */
export function CodeModal({ config, onClose }: { config: LuseConfig | null; onClose: () => void }) {
  return (
    <Dialog
      opened={config !== null}
      onClose={onClose}
      size="md"
      title={config && `${config.code} · ${config.title}`}
    >
      {config && (
        <div className={classes.root}>
          <span className={classes.swatch} style={{ background: config.color }} />
          <p>{config.descFull || config.desc}</p>
          <dl>
            {PROPERTIES.map((name) => (
              <div key={name}>
                <dt>
                  {texts.properties[name]} <span className="rx-unit">{texts.columns[name]}</span>
                </dt>
                <dd>
                  <Property value={config[name]} /> <span className="rx-unit">{texts.units[name]}</span>
                </dd>
              </div>
            ))}
          </dl>
          {config.measure && <MeasureFacts measure={config.measure} />}
        </div>
      )}
    </Dialog>
  )
}
