import { TableHead } from './TableHead.tsx'

interface Props {
  caption: string
  head: readonly string[]
  rows: readonly (readonly string[])[]
}

/** A plain table of what a chart shows; the first column names the rows. */
export function DataTable({ caption, head, rows }: Props) {
  return (
    <table>
      <caption>{caption}</caption>
      <TableHead names={head} />
      <tbody>
        {rows.map((row) => (
          <tr key={row[0]}>
            <th scope="row">{row[0]}</th>
            {row.slice(1).map((text, i) => (
              <td key={head[i + 1]}>{text}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
