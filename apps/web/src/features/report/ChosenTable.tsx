import { useQuery } from '@tanstack/react-query'
import { useAddressParams } from '../../app/address-params.ts'
import { montanaTablesQuery } from '../../storms/api.ts'
import { TablePicker } from '../../storms/TablePicker.tsx'
import { MantineRoot } from '../../ui/MantineRoot.tsx'
import classes from './ReportScreen.module.css'

/** By which table return periods are told; the address keeps it, so that the link and the PDF say the same. */
export default function ChosenTable() {
  const [params, setParams] = useAddressParams()
  const { data: tables } = useQuery(montanaTablesQuery)
  if (!tables || tables.length === 0) return null
  const choose = (id: string) =>
    setParams((next) => {
      next.set('table', id)
      return next
    })
  return (
    <MantineRoot>
      <div className={classes.chosen}>
        <TablePicker tables={tables} value={params.get('table') || tables[0].id} onChange={choose} />
      </div>
    </MantineRoot>
  )
}
