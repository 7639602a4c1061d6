import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core'
import type { ImportError, ImportPreview } from '@ordinator/model/areas/imports/wire'
import { counted, formatNumber } from '@ordinator/model/format'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import classes from './ImportDialog.module.css'

export const rowForms = ['строка', 'строки', 'строк'] as const

interface Props {
  seen: ImportPreview
  busy: boolean
  onBack: () => void
  onStart: (skipWrong: boolean) => void
}

/** The first rows as they would be, and what is wrong in the whole file. */
export function CheckStep({ seen, busy, onBack, onStart }: Props) {
  const [onlyWrong, setOnlyWrong] = useState(seen.wrong > 0)
  const errorsByRow = useMemo(() => Map.groupBy(seen.errors, (error) => error.row), [seen.errors])
  const columns = seen.columns.filter(({ name }) => seen.rows.some(({ values }) => values[name]))
  const rows = onlyWrong ? seen.rows.filter(({ row }) => errorsByRow.has(row)) : seen.rows
  const good = seen.total - seen.wrong - seen.skipped
  return (
    <Stack gap="sm">
      <div className={classes.line}>
        <p className={classes.totals}>
          <span>Всего: {counted(seen.total, rowForms)}</span>
          <span>Готовы: {formatNumber(good)}</span>
          {seen.skipped > 0 && <span>Пропускаются: {formatNumber(seen.skipped)}</span>}
          {seen.wrong > 0 && <span className={classes.wrong}>С ошибками: {formatNumber(seen.wrong)}</span>}
        </p>
        {seen.errorsTotal > 0 && (
          <Checkbox
            label="Только с ошибками"
            checked={onlyWrong}
            onChange={(event) => setOnlyWrong(event.currentTarget.checked)}
          />
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
      <section className={classes.frame} aria-label="Строки файла" tabIndex={0}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th className={classes.number}>№</th>
              {seen.errorsTotal > 0 && <th className={classes.long}>Замечания</th>}
              {columns.map(({ name }) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, values }) => (
              <tr key={row}>
                <td className={classes.number}>{row}</td>
                {seen.errorsTotal > 0 && (
                  <td>
                    <Remarks errors={errorsByRow.get(row)} />
                  </td>
                )}
                {columns.map(({ name }) => {
                  const wrong = errorsByRow.get(row)?.some((error) => error.field === name && !error.note)
                  return (
                    <td key={name} className={wrong ? classes.wrong : undefined}>
                      <span className={classes.clamp}>{values[name]}</span>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length < (onlyWrong ? seen.wrong : seen.total) && (
        <p className={classes.dim}>
          Показаны первые {counted(rows.length, rowForms)}
          {seen.wrong > 0 && '; полный список ошибок будет в отчёте импорта'}
        </p>
      )}
      {seen.wrong > 0 && good > 0 && (
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} />}>
          Строки с ошибками можно пропустить или исправить в файле и загрузить его снова.
        </Alert>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onBack}>
          Назад
        </Button>
        <Button loading={busy} disabled={good === 0} onClick={() => onStart(seen.wrong > 0)}>
          {seen.wrong > 0
            ? `Пропустить ошибки и загрузить ${formatNumber(good)}`
            : `Загрузить ${counted(good, rowForms)}`}
        </Button>
      </Group>
    </Stack>
  )
}

function Remarks({ errors = [] }: { errors: ImportError[] | undefined }) {
  return errors.map((error) => (
    <div key={`${error.field} ${error.message}`} className={error.note ? undefined : classes.wrong}>
      {error.field && `${error.field}: `}
      {error.message}
    </div>
  ))
}
