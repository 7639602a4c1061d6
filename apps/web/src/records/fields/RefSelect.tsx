import { ColorSwatch, Group } from '@mantine/core'
import { type Actor, can } from '@ordinator/model/access'
import { apartBy, namingFields } from '@ordinator/model/brief'
import type { AnyFilter, AnyListQuery } from '@ordinator/model/client'
import { type AnyField, declaredAt, type Entity, isVisible } from '@ordinator/model/entity'
import { hasLabels, labelsOf } from '@ordinator/model/fields/choice'
import { isReadable } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import { phoneText } from '@ordinator/model/phone'
import { wordsOf } from '@ordinator/model/registry'
import { useQueries, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { choicesOf, noteChoice } from '#base/choiceUse.ts'
import { recordsWith } from '#base/client.ts'
import { useActor } from '#base/session.ts'
import { AjaxMultiSelect, AjaxSelect } from '#kit/AjaxSelect.tsx'
import { matching } from '#kit/byMatch.ts'
import { part } from '#kit/chunk.ts'
import { UserAvatar } from '#kit/UserAvatar.tsx'
import { AJAX_LIMIT, type AjaxLoad, type AjaxOption } from '#kit/useAjaxOptions.ts'
import { Fine } from '#kit/Words.tsx'
import { briefAt, loadEntity } from '../declarations.ts'
import { useLastChoice } from '../lastChoice.ts'
import { listQuery } from '../reads.ts'
import { type Naming, titleOf } from '../title.ts'
import { useSave } from '../writes.ts'
import type { AnyRow } from './ui.ts'

/** Spec §5: a search starts at two characters; before that the first records are listed. */
const MIN_TYPED = 2
/** Records of a directory whose options are matched by all that they show, when their names did not match. */
const MOST_AMONG_SHOWN = 100
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
  const last = useLastChoice(to)
  const apart = useApart(to, row)
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
        description={rest.description ?? apart}
        from={0}
        load={loader(to, actor, filter)}
        value={row ? optionOf(entity, row) : null}
        onChange={(option) => {
          if (option) {
            noteChoice(to, option.value)
            last.keep(option.value)
          }
          onChange(option?.value ?? null, (option as Option | null)?.row)
        }}
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
        onChange={(options) => {
          const last = options.at(-1)
          if (last && options.length > value.length) noteChoice(to, last.value)
          onChange(options.map((option) => option.value))
        }}
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

const optionOf = (entity: Naming | undefined, row: AnyRow, hint = ''): Option => ({
  value: row.id,
  label: titleOf(entity, row),
  ...(hint && { hint }),
  row,
})

/**
 * Options with what tells them apart: always what the declaration says (a birthday, a phone), else only beside equal
 * names the first of place, kind and number that differs.
 */
function optionsOf(
  entity: Entity,
  rows: readonly AnyRow[],
  uses: ReadonlyMap<number, number>,
  always = entity.distinguishedBy ?? [],
): Option[] {
  const names = Map.groupBy(rows, (row) => titleOf(entity, row).toLocaleLowerCase('ru'))
  const texts = apartBy(entity)
  const hint = (row: AnyRow): string => {
    if (always.length > 0) return texts.flatMap((field) => distinguishingText(entity, field, row) || []).join(' · ')
    const same = names.get(titleOf(entity, row).toLocaleLowerCase('ru')) ?? []
    if (same.length < 2) return ''
    const differ = texts.filter((field) => new Set(same.map((one) => distinguishingText(entity, field, one))).size > 1)
    return differ.flatMap((field) => distinguishingText(entity, field, row) || []).join(' · ') || `№ ${row.id}`
  }
  return rows.map((row) => ({ ...optionOf(entity, row, hint(row)), usual: uses.get(row.id) ?? 0 }))
}

function distinguishingText(entity: Entity, field: string, row: AnyRow): string {
  const f = entity.fields[field]
  const value = row[field]
  if (!f || value === null || value === undefined || value === '') return ''
  if (isRef(f)) {
    const related = row[f.as] as AnyRow | null | undefined
    return related ? titleOf(briefAt(f.to), related) : ''
  }
  if (hasLabels(f)) return labelsOf(f)[String(value)] ?? ''
  return phoneText(String(value)) ?? String(value)
}

/** Loads options: the usual ones and the first before anything is typed, then those that the typed words match. */
function loader(to: string, actor: Actor, given: AnyFilter | undefined): AjaxLoad {
  const filter = amongOwn(to, actor, given)
  return async (text, signal) => {
    const entity = await loadEntity(to)
    if (!entity) return []
    const uses = choicesOf(to)
    const asked = optionFields(entity, actor)
    const read = async (query: AnyListQuery) =>
      (
        await recordsWith({ forbidden: 'silent', quiet: true }).list<Entity, string>(
          entity,
          { ...query, ...asked },
          { signal },
        )
      ).items
    if (text.length >= MIN_TYPED) {
      const found = await read({ filter, q: text, limit: AJAX_LIMIT })
      if (found.length > 0) return optionsOf(entity, found, uses)
      // What tells options apart may be typed as well: «основной садовая» is a warehouse and its branch.
      const shown = optionsOf(entity, await read({ filter, limit: MOST_AMONG_SHOWN }), uses, apartBy(entity))
      return matching(shown, text, ({ label, hint }) => `${label} ${hint ?? ''}`).slice(0, AJAX_LIMIT)
    }
    const among = { id: { in: [...uses.keys()] } }
    const [usual, first] = await Promise.all([
      uses.size ? read({ filter: filter ? { and: [filter, among] } : among, limit: AJAX_LIMIT }) : [],
      read({ filter, limit: AJAX_LIMIT }),
    ])
    const known = new Set(usual.map(({ id }) => id))
    return optionsOf(entity, [...usual, ...first.filter(({ id }) => !known.has(id))].slice(0, AJAX_LIMIT), uses)
  }
}

/** The filter of choices: somebody who sees only their branches chooses among these. */
export function amongOwn(to: string, { onlyFilials }: Actor, filter: AnyFilter | undefined): AnyFilter | undefined {
  if (!onlyFilials || briefAt(to)?.branchBy !== 'self') return filter
  const own = { id: { in: [...onlyFilials] } }
  return filter ? { and: [filter, own] } : own
}

/** What tells the chosen record apart from others of its name, where a person has such a record again and again. */
function useApart(to: string, row: AnyRow | undefined): string | undefined {
  const actor = useActor()
  const brief = briefAt(to)
  const name = brief?.title && row?.[brief.title]
  const isOn = Boolean(
    brief && !brief.distinguishedBy && (brief.within || brief.recalled) && typeof name === 'string' && name,
  )
  const { data } = useQuery({
    queryKey: ['apart', to, row?.id, name],
    enabled: isOn,
    staleTime: FRESH_MS,
    queryFn: async ({ signal }) => {
      const entity = await loadEntity(to)
      if (!entity?.title) return ''
      const same = {
        filter: { [entity.title]: name },
        limit: AJAX_LIMIT,
        ...optionFields(entity, actor),
      } as AnyListQuery
      const { items } = await recordsWith({ forbidden: 'silent', quiet: true }).list<Entity, string>(entity, same, {
        signal,
      })
      return optionsOf(entity, items, new Map()).find(({ value }) => value === row?.id)?.hint ?? ''
    },
  })
  return isOn && data ? data : undefined
}

/** Fields of an option: its name, and what may tell it apart, references expanded by their names. */
export function optionFields(entity: Entity, actor: Actor): { fields: string[]; expand: string[] } {
  const fields = new Set(nameFields(entity, actor))
  const expand: string[] = []
  for (const name of apartBy(entity)) {
    const f = entity.fields[name]
    if (!f || !isVisible(f, actor)) continue
    const target = isRef(f) ? briefAt(f.to) : undefined
    if (isRef(f)) {
      if (!target?.title || !can(actor, 'view', target)) continue
      expand.push(f.as)
      fields.add(`${f.as}.${target.title}`)
    }
    fields.add(name)
  }
  return { fields: [...fields], expand }
}

/** Fields that make up the name of a record. */
export function nameFields(entity: Pick<Entity, 'title' | 'distinguishedBy' | 'fields'>, actor: Actor): string[] {
  const names = new Set([entity.title, ...namingFields, ...(entity.distinguishedBy ?? [])])
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
