import type { ReactNode } from 'react'
import { TableHead } from '../../ui/TableHead.tsx'
import classes from './AdminScreen.module.css'

interface Props {
  caption: string
  /** Names of the columns. */
  heads: readonly string[]
  rows: readonly { key: string | number; cells: readonly ReactNode[] }[]
}

/**
 * A table whose first cell names its row. On a phone each row becomes a block whose cells carry their column’s name.
 */
export function AdminTable({ caption, heads, rows }: Props) {
  return (
    <div className={classes.wide}>
      <table>
        <caption>{caption}</caption>
        <TableHead names={heads} />
        <tbody>
          {rows.map(({ key, cells: [name, ...cells] }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {cells.map((cell, i) => (
                <td key={heads[i + 1]} data-head={heads[i + 1]}>
                  <div>{cell}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
