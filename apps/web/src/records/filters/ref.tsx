import { MultiSelect } from '@mantine/core'
import type { AnyFilter } from '@ordinator/model/client'
import { isRef } from '@ordinator/model/fields/ref'
import { isRefs } from '@ordinator/model/fields/refs'
import { id, listOf } from '#base/addressValues.ts'
import { briefAt } from '../declarations.ts'
import { RefMultiSelect, RefSelect } from '../fields/RefSelect.tsx'
import { titleOf } from '../title.ts'
import { filterInputProps, NOTHING_FOUND } from './filterInput.ts'
import type { FilterKind } from './filters.ts'

interface Options {
  label?: string
  any?: string
  /** Restricts the options. */
  among?: AnyFilter
}

/** Any of several referenced records. */
export function refs(
  field: string,
  { label, any = 'Любой', among }: Options = {},
): FilterKind<{ '': number[] }, object, unknown, unknown> {
  return {
    field,
    label,
    parts: { '': (given) => listOf(given, id) },
    conditions: ({ '': ids = [] }) => [{ [field]: { in: ids } }],
    ids: ({ '': ids = [] }) => ids,
    text: ({ '': ids = [] }, { label: own, f, named }) =>
      `${own}: ${ids.map((one) => nameOf(f, named, one)).join(', ')}`,
    input: (props) => (
      <RefMultiSelect
        {...filterInputProps(props, any, true)}
        to={pathOf(props.f)}
        filter={among}
        value={props.value[''] ?? []}
        onChange={(ids) => props.onChange({ '': ids.length ? ids : undefined })}
      />
    ),
  }
}

/** One referenced record. */
export function ref(
  field: string,
  { label, any = 'Любой', among }: Options = {},
): FilterKind<{ '': number }, object, unknown, unknown> {
  return {
    field,
    label,
    parts: { '': id },
    conditions: ({ '': one }) => [{ [field]: one ?? null }],
    ids: ({ '': one }) => (one === undefined ? [] : [one]),
    text: ({ '': one = 0 }, { label: own, f, named }) => `${own}: ${nameOf(f, named, one)}`,
    input: (props) => (
      <RefSelect
        {...filterInputProps(props, any, true)}
        to={pathOf(props.f)}
        filter={among}
        value={props.value[''] ?? null}
        onChange={(chosen) => props.onChange({ '': chosen ?? undefined })}
        clearable
      />
    ),
  }
}

export const pathOf = (f: { kind: string } | undefined): string => (f && (isRef(f) || isRefs(f)) ? f.to : '')

function nameOf(
  f: { kind: string } | undefined,
  named: readonly ({ id: number } & Record<string, unknown>)[],
  id: number,
) {
  const row = named.find((one) => one.id === id)
  return row ? titleOf(briefAt(pathOf(f)), row) : '…'
}

interface Known {
  id: number
  label: string
}

/** Any of several records known to the screen: `among('executors.idMember', { known: (c: Board) => c.members, … })`. */
export function among<U>(
  field: string,
  options: { label?: string; any?: string; known: (context: U) => readonly Known[]; gone: string },
): FilterKind<{ '': number[] }, object, unknown, U> {
  const { label, any = 'Любой', known, gone } = options
  return {
    field,
    label,
    parts: { '': (given) => listOf(given, id) },
    conditions: ({ '': ids = [] }) => [{ [field]: { in: ids } }],
    text: ({ '': ids = [] }, context) => {
      const there = known(context.context)
      return `${context.label}: ${ids.map((one) => there.find((row) => row.id === one)?.label ?? gone).join(', ')}`
    },
    input: (props) => (
      <MultiSelect
        {...filterInputProps(props, any, props.value[''] === undefined)}
        clearable
        searchable
        nothingFoundMessage={NOTHING_FOUND}
        data={known(props.context).map((row) => ({ value: String(row.id), label: row.label }))}
        value={(props.value[''] ?? []).map(String)}
        onChange={(ids) => props.onChange({ '': ids.length ? ids.map(Number) : undefined })}
      />
    ),
  }
}
