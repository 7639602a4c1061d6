import type { Entity } from '@ordinator/model/entity'
import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Resolver, useForm } from 'react-hook-form'
import { useDraft } from '#base/draft.ts'
import { useActor } from '#base/session.ts'
import { changesOf } from '../conflict.ts'
import type { AnyRow } from '../fields/ui.ts'
import { checkedBody, openedValues, sortErrors, type Values } from './formValues.ts'

/** Unsaved input, with the values it was based on. */
interface Kept {
  changes: Values
  was: Values
  version?: number
}

interface FormInputOptions {
  entity: Entity
  /** The record to edit; undefined: a new one. */
  given: AnyRow | undefined
  initial: Values | undefined
  fixed: Values
  /** Separates drafts of several forms for new records. */
  draftName: string | undefined
}

export type FormInput = ReturnType<typeof useFormInput>

/** The input of a record form: its values, their validation, the draft, and the record that editing started from. */
export function useFormInput({ entity, given, initial, fixed, draftName }: FormInputOptions) {
  const actor = useActor()
  const draft = useDraft<Kept>(`${entity.path}:${given?.id ?? 'new'}${draftName ? `:${draftName}` : ''}`)
  const [kept] = useState(() => draft.found)
  /** The record that editing started from. */
  const [base, setBase] = useState<AnyRow | undefined>(() =>
    given && kept ? { ...given, ...kept.value.was, _version: kept.value.version ?? given._version } : given,
  )
  const [opened, setOpened] = useState<Values>(() => openedValues(entity, actor, base, initial))
  const [restored, setRestored] = useState(kept?.at)
  const [dirty, setDirty] = useState(kept !== undefined)
  /** Messages over the fields. */
  const [head, setHead] = useState<string[]>([])
  /** Names of the fields in the form. */
  const shown = useRef(new Set<string>())
  const form = useForm<Values>({
    defaultValues: kept
      ? { ...openedValues(entity, actor, given, initial), ...known(kept.value.changes, opened) }
      : opened,
    shouldFocusError: false,
    resolver: ((values) => {
      const { errors } = checkedBody(entity, values, base, fixed, actor)
      if (!errors) return { values, errors: {} }
      const { byField, head: rest } = sortErrors(entity, errors, shown.current)
      setHead(rest)
      return {
        values: {},
        errors: Object.fromEntries(
          Object.entries(byField).map(([name, message]) => [name, { type: 'check', message }]),
        ),
      }
    }) as Resolver<Values>,
  })

  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => {
          const changes = changesOf(opened, values)
          const touched = Object.keys(changes).length > 0
          setDirty(touched)
          if (touched) {
            const was = Object.fromEntries(Object.keys(changes).map((name) => [name, opened[name]]))
            draft.keep({ changes, was, version: base?._version as number | undefined })
          } else draft.drop()
        },
      }),
    [form, opened, base, draft],
  )

  /** Starts editing from this record. */
  const open = (row: AnyRow | undefined) => {
    const values = openedValues(entity, actor, row, initial)
    draft.drop()
    flushSync(() => {
      setBase(row)
      setOpened(values)
      setDirty(false)
      setRestored(undefined)
      setHead([])
    })
    form.reset(values)
  }

  /** Sets a field as an initial value: it does not count as input, and leaving asks nothing. */
  const begin = useCallback(
    (name: string, value: unknown) =>
      queueMicrotask(() => {
        flushSync(() => setOpened((values) => ({ ...values, [name]: value })))
        form.resetField(name, { defaultValue: value })
      }),
    [form],
  )

  return { actor, form, base, open, begin, shown: shown.current, dirty, restored, head, setHead }
}

/** Drops fields of an outdated draft that the form does not have. */
const known = (changes: Values, fields: Values): Values =>
  Object.fromEntries(Object.entries(changes ?? {}).filter(([name]) => Object.hasOwn(fields, name)))
