import { Select, Text } from '@mantine/core'
import { fileEncodings } from '@ordinator/model/areas/imports/encodings'
import type { ImportPreview, TableReading as Reading } from '@ordinator/model/areas/imports/wire'
import { HStack } from '#kit/Stacks.tsx'
import classes from './ImportDialog.module.css'

const SHOWN_LINES = 6
const chosenEncodings = ['utf-8', 'windows-1251', 'ibm866', 'koi8-r'] as const

interface Props {
  preview: ImportPreview
  busy: boolean
  /** Reads the file again. */
  onChange: (reading: Reading) => void
}

/** Parse options of the file with its first lines: encoding and header can be changed. */
export function TableReading({ preview, busy, onChange }: Props) {
  const { reading, lines, sheets = [] } = preview
  if (!reading) return null
  const { encoding, headLine = 1 } = reading
  const encodings = chosenEncodings.some((one) => one === encoding)
    ? chosenEncodings
    : ([...(encoding ? [encoding] : []), ...chosenEncodings] as const)
  const from = Math.min(Math.max(0, headLine - 3), Math.max(0, lines.length - SHOWN_LINES))
  return (
    <section aria-label="Начало файла">
      <HStack gap="8px 16px" wrap align="flex-end">
        {sheets.length > 1 && (
          <Select
            label="Лист книги"
            size="xs"
            w={200}
            allowDeselect={false}
            disabled={busy}
            data={sheets.map(({ name }) => name)}
            value={reading.sheet ?? null}
            onChange={(sheet) => sheet && onChange({ sheet })}
          />
        )}
        {encoding && (
          <Select
            label="Кодировка"
            size="xs"
            w={180}
            allowDeselect={false}
            disabled={busy}
            data={encodings.map((value) => ({ value, label: fileEncodings[value] }))}
            value={encoding}
            onChange={(value) => onChange({ ...reading, encoding: value as keyof typeof fileEncodings })}
          />
        )}
        <Select
          label="Названия колонок в строке"
          size="xs"
          w={180}
          allowDeselect={false}
          disabled={busy}
          data={lines.flatMap((line, at) => (line.some(Boolean) ? [String(at + 1)] : []))}
          value={String(headLine)}
          onChange={(value) => onChange({ ...reading, headLine: Number(value) })}
        />
      </HStack>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
      <section className={classes.lines} aria-label="Первые строки файла" tabIndex={0} aria-busy={busy}>
        <table className={classes.table}>
          <tbody>
            {lines.slice(from, from + SHOWN_LINES).map((line, i) => {
              const number = from + i + 1
              return (
                <tr key={number} aria-current={number === headLine || undefined}>
                  <td className={classes.number}>{number}</td>
                  {line.map((cell, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: cells have places only
                    <td key={at}>
                      <Text span inherit lineClamp={1} title={cell}>
                        {cell}
                      </Text>
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
    </section>
  )
}
