import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { genericErrorText } from '../../../app/api/errors.ts'
import { batteryTexts as texts } from '../../../texts/battery.ts'
import { landUseTexts, listTexts } from '../../../texts/simulation.ts'
import { Message } from '../../../ui/Message.tsx'
import { Waiting } from '../../../ui/Waiting.tsx'
import { luseFilesQuery } from '../api.ts'
import { LuseImage } from '../parts/LuseImage.tsx'
import classes from './Battery.module.css'
import type { PartProps } from './OrderScreen.tsx'

/** Land uses of the catchment with a box each; those of a version of before fit no run any more. */
export function LandUses({ draft: { catchmentId, landUses }, change }: PartProps) {
  const files = useQuery(luseFilesQuery(catchmentId))
  return (
    <section className={classes.part} aria-labelledby="battery-lands">
      <h2 id="battery-lands">{texts.landUses}</h2>
      {files.isPending && <Waiting label={landUseTexts.loading} />}
      {files.error && <Message kind="error">{genericErrorText(files.error)}</Message>}
      <ul className={classes.lands}>
        {files.data?.map(({ _id, desc, base64Image, username, outdated }) => (
          <li key={_id}>
            <LuseImage base64={base64Image} alt="" />
            <Checkbox
              label={desc.split('\n')[0] || landUseTexts.noDescription}
              description={outdated ? listTexts.outdated : username}
              disabled={outdated}
              checked={landUses.includes(_id)}
              onChange={({ currentTarget: { checked } }) =>
                change({
                  catchmentId,
                  landUses: checked ? [...landUses, _id] : landUses.filter((id) => id !== _id),
                })
              }
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
