import { Alert, Checkbox, Group, Stack, Text } from '@mantine/core'
import type { ImportError, ImportPreview } from '@ordinator/model/areas/imports/wire'
import { counted, formatNumber } from '@ordinator/model/format'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { HStack } from '#kit/Stacks.tsx'
import classes from './ImportDialog.module.css'

export const rowForms = ['строка', 'строки', 'строк'] as const

interface Props {
  preview: ImportPreview
  busy: boolean
  onBack: () => void
  onStart: (skipWrong: boolean) => void
}

/** Preview of the first rows, and the errors of the whole file. */
export function CheckStep({ preview, busy, onBack, onStart }: Props) {
  const [onlyWrong, setOnlyWrong] = useState(preview.wrong > 0)
  const kinds = useMemo(() => kindsOf(preview.errors), [preview.errors])
  const errorsByRow = useMemo(() => Map.groupBy(preview.errors, (error) => error.row), [preview.errors])
  const columns = preview.columns.filter(({ name }) => preview.rows.some(({ values }) => values[name]))
  const rows = onlyWrong ? preview.rows.filter(({ row }) => errorsByRow.has(row)) : preview.rows
  const good = preview.total - preview.wrong - preview.skipped
  return (
    <Stack gap="sm">
      <HStack gap="8px 12px" justify="space-between" wrap>
        <HStack component="p" gap="4px 16px" align="stretch" wrap className="tabular">
          <span>Всего: {counted(preview.total, rowForms)}</span>
          <span>Готовы: {formatNumber(good)}</span>
          {preview.skipped > 0 && <span>Пропускаются: {formatNumber(preview.skipped)}</span>}
          {preview.wrong > 0 && <span className={classes.wrong}>С ошибками: {formatNumber(preview.wrong)}</span>}
        </HStack>
        {preview.errorsTotal > 0 && (
          <Checkbox
            label="Только с ошибками"
            checked={onlyWrong}
            onChange={(event) => setOnlyWrong(event.currentTarget.checked)}
          />
        )}
      </HStack>
      {kinds.length > 0 && (
        <ul className={classes.kinds} aria-label="Замечания по видам">
          {kinds.slice(0, SHOWN_KINDS).map(({ words, note, rows }) => (
            <li key={words} className={note ? undefined : classes.wrong}>
              {`${words} — ${counted(rows.length, rowForms)}: ${rows.slice(0, SHOWN_NUMBERS).join(', ')}${rows.length > SHOWN_NUMBERS ? '…' : ''}`}
            </li>
          ))}
        </ul>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
      <section className={classes.frame} aria-label="Строки файла" tabIndex={0}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th className={classes.number}>№</th>
              {preview.errorsTotal > 0 && <th className={classes.long}>Замечания</th>}
              {columns.map(({ name }) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, values }) => (
              <tr key={row}>
                <td className={classes.number}>{row}</td>
                {preview.errorsTotal > 0 && (
                  <td>
                    <Remarks errors={errorsByRow.get(row)} />
                  </td>
                )}
                {columns.map(({ name }) => {
                  const wrong = errorsByRow.get(row)?.some((error) => error.field === name && !error.note)
                  return (
                    <td key={name} className={wrong ? classes.wrong : undefined}>
                      <Text span lineClamp={3} inherit className="lines">
                        {values[name]}
                      </Text>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length < (onlyWrong ? preview.wrong : preview.total) && (
        <Text fz={13} c="dimmed">
          Показаны первые {counted(rows.length, rowForms)}
          {preview.wrong > 0 && '; полный список ошибок будет в отчёте импорта'}
        </Text>
      )}
      {preview.wrong > 0 && good > 0 && (
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} />}>
          Строки с ошибками можно пропустить или исправить в файле и загрузить его снова.
        </Alert>
      )}
      <Group justify="flex-end" gap="xs">
        <ActionButton label="Назад" variant="default" onClick={onBack} />
        <ActionButton
          label={
            preview.wrong > 0
              ? `Пропустить ошибки и загрузить ${formatNumber(good)}`
              : `Загрузить ${counted(good, rowForms)}`
          }
          loading={busy}
          disabled={good === 0}
          onClick={() => onStart(preview.wrong > 0)}
        />
      </Group>
    </Stack>
  )
}

const SHOWN_KINDS = 10
const SHOWN_NUMBERS = 8

/** Remarks that differ by what they quote alone, with their rows; errors first, then the most frequent. */
function kindsOf(errors: readonly ImportError[]) {
  const kindOf = ({ field, message }: ImportError) =>
    `${field && !message.startsWith(field) ? `${field}: ` : ''}${message.replace(/«[^»]*»/g, '«…»')}`
  return [...Map.groupBy(errors, kindOf)]
    .map(([kind, some]) => {
      const [one] = some as [ImportError]
      const isOne = new Set(some.map(({ message }) => message)).size === 1
      return {
        words: isOne
          ? `${one.field && !one.message.startsWith(one.field) ? `${one.field}: ` : ''}${one.message}`
          : kind,
        note: one.note === true,
        rows: [...new Set(some.map(({ row }) => row))],
      }
    })
    .toSorted((a, b) => Number(a.note) - Number(b.note) || b.rows.length - a.rows.length)
}

function Remarks({ errors = [] }: { errors: ImportError[] | undefined }) {
  return errors.map(({ field, message, note }) => (
    <div key={`${field} ${message}`} className={note ? undefined : classes.wrong}>
      {field && !message.startsWith(`${field}: `) && `${field}: `}
      {message}
    </div>
  ))
}
