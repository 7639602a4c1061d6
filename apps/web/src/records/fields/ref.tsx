import { TextInput } from '@mantine/core'
import { can } from '@ordinator/model/access'
import type { AnyField, Entity } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import { useQuery } from '@tanstack/react-query'
import { useContext, useEffect, useRef } from 'react'
import { useActor } from '#base/session.ts'
import { usePeople } from '#kit/people.ts'
import { UserLink } from '#kit/UserLink.tsx'
import { briefAt } from '../declarations.ts'
import { RecordFormContext } from '../form/formContext.ts'
import { useLastChoice } from '../lastChoice.ts'
import { listQuery } from '../reads.ts'
import { titleOf } from '../title.ts'
import { askRefs } from './askRefs.tsx'
import { amongOwn, nameFields, RefSelect } from './RefSelect.tsx'
import { type AnyRow, type CellProps, type FieldUi, type InputProps, isEmpty, kitFrame } from './ui.ts'

/** The referenced record, if it was expanded. */
export function relatedOf(f: AnyField, row: AnyRow | undefined, value: unknown): AnyRow | undefined {
  const related = isRef(f) ? (row?.[f.as] as AnyRow | null | undefined) : undefined
  return related && related.id === value ? related : undefined
}

const words = (value: unknown, f: AnyField, row?: AnyRow) => {
  if (isEmpty(value) || !isRef(f)) return ''
  const related = relatedOf(f, row, value)
  return related ? titleOf(briefAt(f.to), related) : `№ ${value}`
}

function RefCell({ value, f, row }: CellProps) {
  const related = relatedOf(f, row, value)
  const named = words(value, f, row)
  const { ways } = usePeople()
  const isPerson = isRef(f) && f.to in ways && related !== undefined && 'shortFio' in related
  return isPerson ? <UserLink user={related} of={f.to} /> : <span title={named}>{named}</span>
}

function RefField(props: InputProps) {
  const { f, value, onChange, row, readOnly } = props
  useOnlyOne(props)
  if (!isRef(f)) return null
  if (readOnly) return <TextInput {...kitFrame(props)} readOnly value={words(value, f, row)} />
  return (
    <RefSelect
      {...kitFrame(props)}
      to={f.to}
      filter={f.among}
      value={isEmpty(value) ? null : Number(value)}
      onChange={(id) => onChange(id)}
      known={relatedOf(f, row, value)}
      clearable={f.nullable}
      autoFocus={props.autoFocus}
    />
  )
}

/** In a new record, a required reference with a single option is filled in, as is the person's last place of work. */
function useOnlyOne({ f, name, value, required, readOnly }: InputProps): void {
  const form = useContext(RecordFormContext)
  const actor = useActor()
  const given = useRef(false)
  const to = isRef(f) ? briefAt(f.to) : undefined
  const wanted =
    !!form && !form.record && !form.readOnly && !!required && !readOnly && !given.current && isEmpty(value) && !!to
  const among = isRef(f) ? amongOwn(f.to, actor, f.among) : undefined
  const query = { filter: among, fields: to && nameFields(to, actor), limit: 2 }
  const { data } = useQuery(
    listQuery((to ?? { path: name }) as Entity, query, {
      enabled: wanted && can(actor, 'view', to),
      forbidden: 'silent',
    }),
  )
  const last = useLastChoice(isRef(f) ? f.to : '')
  const known = { filter: { and: [among ?? {}, { id: last.id ?? 0 }] }, fields: query.fields, limit: 1 }
  const former = useQuery(
    listQuery((to ?? { path: name }) as Entity, known, {
      enabled: wanted && last.id !== undefined && can(actor, 'view', to),
      forbidden: 'silent',
    }),
  )
  const [only, other] = wanted ? (data?.items ?? []) : []
  const proposed = only && (other ? former.data?.items[0]?.id : only.id)
  useEffect(() => {
    if (proposed === undefined || given.current) return
    given.current = true
    form?.begin(name, proposed)
  }, [proposed, form, name])
}

export const ref: FieldUi = { Input: RefField, Cell: RefCell, text: words, ask: askRefs, width: 200 }
