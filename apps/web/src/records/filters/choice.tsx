import { MultiSelect, SegmentedControl, Select } from '@mantine/core'
import type { AnyFilter } from '@ordinator/model/client'
import type { AnyField } from '@ordinator/model/entity'
import { labelsOf } from '@ordinator/model/fields/choice'
import { listOf, word } from '#base/addressValues.ts'
import classes from '#kit/FilterPanel.module.css'
import { filterInputProps, NOTHING_FOUND } from './filterInput.ts'
import type { FilterKind } from './filters.ts'

interface Several<W extends string, Q> {
  label?: string
  /** Default: the field's own values. */
  options?: Readonly<Record<W, string>>
  /** The condition for a value; default: equality of the field. */
  is?: (word: W, context: Q) => AnyFilter
  /** The field's value for a word of the URL; default: the word. */
  values?: Readonly<Record<W, string | number | boolean>>
  /** Text of the empty field. */
  any?: string
}

/** Any of several named values. */
export function choice<W extends string = string, Q = unknown>(
  field: string | undefined,
  { label, options, is, values, any = 'Любой' }: Several<W, Q> = {},
): FilterKind<{ '': W[] }, object, Q, unknown> {
  const wordsOf = (f: AnyField | undefined) => options ?? (f ? (labelsOf(f) as Record<W, string>) : undefined)
  const dataOf = (f: AnyField | undefined) => optionsOf(wordsOf(f))
  return {
    field,
    label,
    parts: {
      '': (given, f) => {
        const known = wordsOf(f)
        return known && listOf(given, (one) => word(known, one))
      },
    },
    conditions: ({ '': chosen = [] }, { context }) =>
      is || field === undefined
        ? [{ or: chosen.map((one) => is?.(one, context) ?? {}) }]
        : [{ [field]: { in: values ? chosen.map((one) => values[one]) : chosen } }],
    text: ({ '': chosen = [] }, context) =>
      `${context.label}: ${chosen.map((one) => wordsOf(context.f)?.[one] ?? one).join(', ')}`,
    input: (props) => (
      <MultiSelect
        {...filterInputProps(props, props.inline ? props.label : any, props.value[''] === undefined)}
        clearable
        nothingFoundMessage={NOTHING_FOUND}
        data={dataOf(props.f)}
        value={props.value[''] ?? []}
        onChange={(chosen) => props.onChange({ '': chosen.length ? (chosen as W[]) : undefined })}
      />
    ),
  }
}

interface One<W extends string, Q> {
  label: string
  options: Readonly<Record<W, string>>
  /** Absent: the screen builds the condition. */
  is?: (word: W, context: Q) => AnyFilter | undefined
  /** The default choice. */
  usual?: NoInfer<W>
  /** Text of the empty choice. */
  any?: string
  /** Texts of the chips, if the labels are too short. */
  chips?: Readonly<Record<W, string>>
  /** All choices side by side. */
  segments?: boolean
}

/** One of several named values. */
export function one<W extends string, Q = unknown>(options: One<W, Q>): FilterKind<{ '': W }, object, Q, unknown> {
  const { is, usual, any = 'Любой', chips = options.options, segments } = options
  const data = optionsOf(options.options)
  return {
    label: options.label,
    parts: { '': (given) => word(options.options, given) },
    isOn: usual === undefined ? undefined : ({ '': chosen }) => chosen !== undefined && chosen !== usual,
    always: usual !== undefined,
    conditions: ({ '': chosen = usual }, { context }) => {
      const asked = chosen === undefined ? undefined : is?.(chosen, context)
      return asked ? [asked] : []
    },
    text: ({ '': chosen }) => (chosen === undefined ? '' : chips[chosen]),
    input: (props) =>
      segments ? (
        <div>
          {!props.inline && <div className={classes.label}>{props.label}</div>}
          <SegmentedControl
            fullWidth={!props.inline}
            aria-label={props.label}
            data={usual === undefined ? [{ value: '', label: any }, ...data] : data}
            value={props.value[''] ?? usual ?? ''}
            onChange={(chosen) => props.onChange({ '': chosen === '' || chosen === usual ? undefined : (chosen as W) })}
          />
        </div>
      ) : (
        <Select
          {...filterInputProps(props, any, props.value[''] === undefined)}
          clearable
          data={data}
          value={props.value[''] ?? null}
          onChange={(chosen) => props.onChange({ '': (chosen ?? undefined) as W | undefined })}
        />
      ),
  }
}

const optionsOf = (words: Readonly<Record<string, string>> | undefined) =>
  Object.entries(words ?? {}).map(([value, label]) => ({ value, label }))
