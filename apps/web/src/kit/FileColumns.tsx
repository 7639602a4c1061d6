import { Select } from '@mantine/core'
import { Fragment } from 'react'
import classes from './FileColumns.module.css'
import { Muted } from './Words.tsx'

/** Positions of the file's columns by the names of the fields that take them. */
type Mapping = Record<string, number>

interface Props {
  /** The fields. */
  columns: readonly { name: string; required?: boolean | undefined }[]
  /** The columns of the file, with samples of their cells. */
  head: readonly { name: string; samples: readonly string[] }[]
  mapping: Mapping
}

const nameOf = (name: string, at: number): string => name || `Колонка ${at + 1}`

/** Whether each required field has a column. */
export const hasRequired = ({ columns, mapping }: Pick<Props, 'columns' | 'mapping'>): boolean =>
  columns.every(({ name, required }) => !required || mapping[name] !== undefined)

/** The columns of the file that no field takes; nothing when all are taken. */
export function UnusedColumns({ head, mapping }: Pick<Props, 'head' | 'mapping'>) {
  const taken = new Set(Object.values(mapping))
  const unused = head.flatMap(({ name }, at) => (taken.has(at) ? [] : [nameOf(name, at)]))
  return (
    unused.length > 0 && (
      <Muted fz={13} role="status">
        Не загрузятся: {unused.map((name) => `«${name}»`).join(', ')}
      </Muted>
    )
  )
}

/** The column of a file for each field, with samples. */
export function FileColumns({ columns, head, mapping, onChange }: Props & { onChange: (mapping: Mapping) => void }) {
  const data = head.map(({ name }, at) => ({ value: String(at), label: nameOf(name, at) }))
  const choose = (name: string, value: string | null) => {
    const { [name]: _, ...rest } = mapping
    onChange(value === null ? rest : { ...rest, [name]: Number(value) })
  }
  return (
    <div className={classes.columns}>
      {columns.map(({ name, required }) => {
        const at = mapping[name]
        const samples = at === undefined ? '' : (head[at]?.samples.join(' · ') ?? '')
        return (
          <Fragment key={name}>
            <span>
              {name}
              {required && <span className={classes.required}> *</span>}
            </span>
            <Select
              aria-label={`Колонка файла для поля «${name}»`}
              placeholder="Не загружать"
              clearable={!required}
              searchable
              size="xs"
              data={data}
              value={at === undefined ? null : String(at)}
              error={required && at === undefined ? 'Выберите колонку' : undefined}
              onChange={(value) => choose(name, value)}
            />
            <span className={classes.samples} title={samples}>
              {samples}
            </span>
          </Fragment>
        )
      })}
    </div>
  )
}
