import { Select } from '@mantine/core'
import { between } from '#base/addressValues.ts'
import classes from '#kit/FilterPanel.module.css'
import { filterInputProps } from './filterInput.ts'
import type { FilterKind } from './filters.ts'

/** A range of a short scale of whole numbers; an end that includes the whole scale is not offered. */
export function range(
  field: string,
  { label, min, max }: { label?: string; min: number; max: number },
): FilterKind<{ '': number; To: number }, object, unknown, unknown> {
  const ends = [
    { part: '', word: 'от', first: min + 1, last: max },
    { part: 'To', word: 'до', first: min, last: max - 1 },
  ] as const
  return {
    field,
    label,
    parts: { '': (given) => between(given, min + 1, max), To: (given) => between(given, min, max - 1) },
    conditions: ({ '': from, To: to }) => [
      ...(from === undefined ? [] : [{ [field]: { gte: from } }]),
      ...(to === undefined ? [] : [{ [field]: { lte: to } }]),
    ],
    text: (value, context) =>
      [
        context.label,
        ...ends.flatMap(({ part, word }) => (value[part] === undefined ? [] : `${word} ${value[part]}`)),
      ].join(' '),
    input: (props) => (
      <div className={classes.pair}>
        {ends.map(({ part, word, first, last }) => (
          <Select
            key={part}
            {...filterInputProps(props, word, true)}
            {...(part && { label: undefined, 'aria-label': `${props.label} ${word}` })}
            clearable
            data={Array.from({ length: last - first + 1 }, (_, at) => ({
              value: String(first + at),
              label: `${word} ${first + at}`,
            }))}
            value={props.value[part] === undefined ? null : String(props.value[part])}
            onChange={(value) => props.onChange({ [part]: value ? Number(value) : undefined })}
          />
        ))}
      </div>
    ),
  }
}
