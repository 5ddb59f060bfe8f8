import { Table } from '@mantine/core'
import { LOCALE } from '@radx/locale/language'
import { useShapefiles } from '../../app/auth/shapefiles.ts'
import { useAuth } from '../../app/auth/store.ts'
import { accountTexts } from '../../texts/account.ts'
import { Message } from '../../ui/Message.tsx'
import classes from './ShapefileTable.module.css'

export function ShapefileTable() {
  const shapefiles = useAuth((state) => state.shapefiles)
  const { layers, failed } = useShapefiles()
  if (shapefiles.length === 0) return <p className={classes.dim}>{accountTexts.noLayers}</p>
  if (failed) return <Message kind="warning">{accountTexts.layersFailed}</Message>
  return (
    <>
      <Table className={classes.table} verticalSpacing={8} horizontalSpacing={0}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{accountTexts.layerName}</Table.Th>
            <Table.Th>{accountTexts.layerTitle}</Table.Th>
            <Table.Th className={classes.number}>{accountTexts.layerFeatures}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shapefiles.map(({ name, color }) => {
            const layer = layers.find((item) => item.name === name)
            return (
              <Table.Tr key={name}>
                <Table.Td>
                  <span className={classes.name}>
                    <span className={classes.swatch} style={{ background: color }} aria-hidden />
                    {name}
                  </span>
                </Table.Td>
                <Table.Td>
                  {layer?.longName ?? '…'}
                  {layer && layer.desc !== '' && <span className={classes.desc}>{layer.desc}</span>}
                </Table.Td>
                <Table.Td className={classes.number}>
                  {layer?.shapefile.features.length.toLocaleString(LOCALE) ?? '…'}
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
      <p className={classes.dim}>{accountTexts.layersHint}</p>
    </>
  )
}
