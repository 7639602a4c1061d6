import { ColorSwatch, Group } from '@mantine/core'
import { type Actor, can } from '@ordinator/model/access'
import { namingFields } from '@ordinator/model/brief'
import type { AnyFilter } from '@ordinator/model/client'
import { type AnyField, declaredAt, type Entity, isVisible } from '@ordinator/model/entity'
import { isReadable } from '@ordinator/model/fields/field'
import { phoneText } from '@ordinator/model/phone'
import { wordsOf } from '@ordinator/model/registry'
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { part } from '#base/chunk.ts'
import { recordsWith } from '#base/client.ts'
import { useActor } from '#base/session.ts'
import { AjaxMultiSelect, AjaxSelect } from '#kit/AjaxSelect.tsx'
import { UserAvatar } from '#kit/UserAvatar.tsx'
import { AJAX_LIMIT, type AjaxLoad, type AjaxOption } from '#kit/useAjaxOptions.ts'
import { Fine } from '#kit/Words.tsx'
import { searchFields, searchFilter } from '../conditions.ts'
import { briefAt, loadEntity } from '../declarations.ts'
import { listQuery } from '../reads.ts'
import { type Naming, titleOf } from '../title.ts'
import { useSave } from '../writes.ts'
import type { AnyRow } from './ui.ts'

/** Spec §5: a search starts at two characters; before that the first records are listed. */
const MIN_TYPED = 2
const FRESH_MS = 60_000

interface Shared {
  /** Path of the entity to select from. */
  to: string
  /** Restricts the options: `{ idBoard: 5 }`. */
  filter?: AnyFilter
  label?: ReactNode
  'aria-label'?: string
  description?: ReactNode
  error?: ReactNode
  placeholder?: string
  required?: boolean
  disabled?: boolean
  readOnly?: boolean
  name?: string
  className?: string
  comboboxProps?: { withinPortal?: boolean }
  openOnFocus?: boolean
  autoFocus?: boolean
  /** false: missing records cannot be created from here. */
  makes?: boolean
}

interface Props extends Shared {
  value: number | null
  /** Also passes the selected record. */
  onChange: (id: number | null, record?: AnyRow) => void
  /** The record of the current value, if available; otherwise it is loaded. */
  known?: AnyRow
  clearable?: boolean
}

interface Option extends AjaxOption {
  row: AnyRow
}

/** Selects a record of an entity: the first ones at once, others by typing. */
export function RefSelect({ to, filter, value, onChange, known, disabled, makes, ...rest }: Props) {
  const actor = useActor()
  const making = useMaking(to, filter, makes !== false && !rest.readOnly, (made) => onChange(made.id, made))
  const entity = briefAt(to)
  const atHand = known?.id === value ? known : undefined
  const named = useNamed(to, value !== null && !atHand ? [value] : [])
  const row = atHand ?? named.find((r) => r.id === value) ?? (value === null ? undefined : { id: value })
  const save = useSave({ path: to } as Entity)
  const title = entity?.quickAdd ? entity.title : undefined
  const mayAdd = entity && title && !rest.readOnly && can(actor, 'create', entity)
  const create = (text: string) =>
    save.mutate(
      { [title as string]: text },
      {
        onSuccess: (made) => onChange(made.id, made),
      },
    )
  return (
    <>
      <AjaxSelect
        {...rest}
        from={0}
        load={loader(to, actor, filter)}
        value={row ? optionOf(entity, row) : null}
        onChange={(option) => onChange(option?.value ?? null, (option as Option | null)?.row)}
        onCreate={mayAdd ? create : undefined}
        make={making.make}
        none={mayAdd ? 'Пока пусто: напишите название, и оно добавится' : NONE}
        disabled={save.isPending || disabled || !entity || !can(actor, 'view', entity)}
        renderOption={(option) => <OptionRow option={option as Option} />}
      />
      {making.form}
    </>
  )
}

interface ManyProps extends Shared {
  value: number[]
  onChange: (ids: number[]) => void
}

/** The same for several records. */
export function RefMultiSelect({ to, filter, value, onChange, disabled, makes, ...rest }: ManyProps) {
  const actor = useActor()
  const making = useMaking(to, filter, makes !== false && !rest.readOnly, (made) => onChange([...value, made.id]))
  const entity = briefAt(to)
  const named = useNamed(to, value)
  return (
    <>
      <AjaxMultiSelect
        {...rest}
        from={0}
        load={loader(to, actor, filter)}
        value={value.map((id) => optionOf(entity, named.find((row) => row.id === id) ?? { id }))}
        onChange={(options) => onChange(options.map((option) => option.value))}
        make={making.make}
        none={NONE}
        disabled={disabled || !entity || !can(actor, 'view', entity)}
        renderOption={(option) => <OptionRow option={option as Option} />}
      />
      {making.form}
    </>
  )
}

/** Text when there are no options. */
const NONE = 'Пока ничего нет'

const MakeRecord = part(() => import('./MakeRecord.tsx'))

/**
 * Creates a missing record in its own form over the current one, for users with the right; the new record is passed to
 * `onMade`. Parts of other records are created there instead.
 */
function useMaking(to: string, filter: AnyFilter | undefined, isOn: boolean, onMade: (row: AnyRow) => void) {
  const actor = useActor()
  const [typed, setTyped] = useState<string>()
  const make = () => {
    // The list has loaded the declaration.
    const entity = declaredAt(to)
    if (!isOn || !entity?.registry || entity.within || entity.quickAdd || !can(actor, 'create', entity))
      return undefined
    return { label: `${wordsOf(entity).fresh}…`, open: setTyped }
  }
  return {
    make,
    form: typed !== undefined && (
      <MakeRecord
        to={to}
        initial={{ ...plainOf(filter), ...titled(to, typed) }}
        onMade={(row) => {
          setTyped(undefined)
          onMade(row)
        }}
        onClose={() => setTyped(undefined)}
      />
    ),
  }
}

/** Values for the new record that follow from a filter: `{ kind: 'own' }`. */
const plainOf = (filter: AnyFilter | undefined): AnyRow =>
  Object.fromEntries(
    Object.entries(filter ?? {}).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)),
  ) as AnyRow

function titled(to: string, typed: string): object {
  const title = declaredAt(to)?.title
  return title && typed ? { [title]: typed } : {}
}

type Telling = Naming & Pick<Entity, 'tells'>

const optionOf = (entity: Telling | undefined, row: AnyRow): Option => ({
  value: row.id,
  label: titleOf(entity, row),
  hint: hintOf(entity, row),
  row,
})

/** Text that distinguishes records with the same name. */
const hintOf = (entity: Telling | undefined, row: AnyRow): string | undefined =>
  (entity?.tells ?? [])
    .flatMap((name) => {
      const value = row[name]
      return typeof value === 'string' && value ? [phoneText(value) ?? value] : []
    })
    .join(' · ') || undefined

function loader(to: string, actor: Actor, filter: AnyFilter | undefined): AjaxLoad {
  return async (text, signal) => {
    const entity = await loadEntity(to)
    if (!entity) return []
    const asked = text.length >= MIN_TYPED ? found(entity, text) : undefined
    const parts = [filter, asked].filter((part) => part !== undefined)
    const query = {
      filter: parts.length > 1 ? { and: parts } : parts[0],
      fields: nameFields(entity, actor),
      limit: AJAX_LIMIT,
      // Sorted by name, so that records with the same prefix are together.
      sort: asked && searchFields(entity).find(([, f]) => f.operators.includes('ilike') && !f.unsortable)?.[0],
    }
    const { items } = await recordsWith({ forbidden: 'silent', quiet: true }).list(entity, query, { signal })
    return items.map((row) => optionOf(entity, row))
  }
}

const found = (entity: Entity, text: string): AnyFilter | undefined =>
  searchFields(entity).length || !entity.title ? searchFilter(entity, text) : { [entity.title]: { ilike: text } }

/** Fields that make up the name of a record. */
export function nameFields(entity: Pick<Entity, 'title' | 'tells' | 'fields'>, actor: Actor): string[] {
  const names = new Set([entity.title, ...namingFields, ...(entity.tells ?? [])])
  return [...names].filter((name) => {
    const f: AnyField | undefined =
      name !== undefined && Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined
    return f !== undefined && isReadable(f) && isVisible(f, actor)
  }) as string[]
}

/** Loads the names of records by their ids, in one request. */
export const useNamed = (to: string, ids: readonly number[]): AnyRow[] => useNamedOf([{ to, ids }])[0] ?? []

/** The same for several entities at once. */
export function useNamedOf(asked: readonly { to: string; ids: readonly number[] }[]): AnyRow[][] {
  const actor = useActor()
  const answers = useQueries({ queries: asked.map(({ to, ids }) => namedQuery(actor, to, ids)) })
  return answers.map(({ data }, at) => (asked[at]?.ids.length ? (data?.items ?? []) : []))
}

function namedQuery(actor: Actor, to: string, ids: readonly number[]) {
  const entity = briefAt(to)
  const sorted = [...new Set(ids)].filter((id) => Number.isSafeInteger(id)).sort((a, b) => a - b)
  const query = {
    filter: { id: { in: sorted } },
    fields: entity && nameFields(entity, actor),
    limit: Math.max(1, sorted.length),
  }
  return listQuery((entity ?? { path: to }) as Entity, query, {
    enabled: entity !== undefined && sorted.length > 0 && can(actor, 'view', entity),
    forbidden: 'silent',
    staleTime: FRESH_MS,
  })
}

function OptionRow({ option: { row, label, hint } }: { option: Option }) {
  return (
    <Group gap={8} wrap="nowrap">
      {'avatar' in row && <UserAvatar user={row} size={24} />}
      {typeof row.color === 'string' && <ColorSwatch color={row.color} size={12} />}
      <span>
        {label}
        {hint && <Fine component="div">{hint}</Fine>}
      </span>
    </Group>
  )
}
