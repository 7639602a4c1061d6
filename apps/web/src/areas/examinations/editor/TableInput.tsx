import { Input, TextInput } from '@mantine/core'
import { MAX_ROWS } from '@ordinator/model/areas/examinations/form'
import { IconTrash } from '@tabler/icons-react'
import { useId } from 'react'
import { AddLine } from '#kit/AddLine.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import classes from './Editor.module.css'
import type { FieldProps } from './fieldProps.ts'

/** Table with the template's columns. */
export function TableField({ field, value, set, frame }: FieldProps) {
  const id = useId()
  const { columns = [] } = field
  const rows = Array.isArray(value) ? (value as string[][]) : []
  const write = (next: string[][]) => set(next.length ? next : null)
  const put = (row: number, column: number, text: string) =>
    write(
      rows.map((cells, at) =>
        at === row ? columns.map((_, other) => (other === column ? text : (cells[other] ?? ''))) : cells,
      ),
    )
  const { readOnly } = frame
  return (
    <Input.Wrapper {...frame} labelElement="div" labelProps={{ id }}>
      {rows.length > 0 && (
        <div className={classes.scroll}>
          <table className={classes.table} aria-labelledby={id}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
                {!readOnly && <td />}
              </tr>
            </thead>
            <tbody>
              {rows.map((cells, row) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its number
                <tr key={row}>
                  {columns.map((column, at) => (
                    <td key={column}>
                      <TextInput
                        aria-label={`${column}, строка ${row + 1}`}
                        value={cells[at] ?? ''}
                        readOnly={readOnly}
                        maxLength={500}
                        miw={90}
                        onChange={(event) => put(row, at, event.currentTarget.value)}
                      />
                    </td>
                  ))}
                  {!readOnly && (
                    <td>
                      <IconButton
                        icon={IconTrash}
                        label={`Удалить строку ${row + 1}`}
                        onClick={() => write(rows.filter((_, other) => other !== row))}
                      />
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {!readOnly && (
        <AddLine
          label="Добавить строку"
          aria-label={`Добавить строку: ${field.label}`}
          mt={4}
          disabled={rows.length >= MAX_ROWS}
          onAdd={() => write([...rows, columns.map(() => '')])}
        />
      )}
    </Input.Wrapper>
  )
}
