import type { Entity, Row } from '@ordinator/model/entity'
import { type RefObject, useState } from 'react'
import { ApiError, errorMessage, isRecord } from '#base/apiError.ts'
import { type Choices, type Conflict, chosenBody, compareVersions } from '../conflict.ts'
import type { AnyRow } from '../fields/ui.ts'
import { useSave } from '../writes.ts'
import type { FormParts } from './formParts.ts'
import { checkedBody, sortErrors, type Values } from './formValues.ts'
import type { FormInput } from './useFormInput.ts'

interface FormSaveOptions<E extends Entity> {
  entity: E
  fixed: Values
  input: FormInput
  frame: RefObject<HTMLFormElement | null>
  parts: FormParts | undefined
  onSaved: ((row: Row<E>) => void) | undefined
}

/** Saves a record form: the record, then its parts; shows errors at their fields, and a stale write as a conflict. */
export function useFormSave<E extends Entity>({ entity, fixed, input, frame, parts, onSaved }: FormSaveOptions<E>) {
  const { actor, form, base, open, shown, setHead } = input
  const [conflict, setConflict] = useState<{ conflict: Conflict; changes: Values; saved: AnyRow }>()
  const save = useSave<Entity>(entity, { optimistic: false, toast: false })
  const [sendingParts, setSendingParts] = useState(false)

  const showRefusal = (error: unknown, body: Values) => {
    if (error instanceof ApiError && error.status === 422 && error.fields) {
      const { byField, head: rest } = sortErrors(entity, error.fields, shown)
      for (const [name, message] of Object.entries(byField)) form.setError(name, { type: 'server', message })
      setHead(rest)
      focusFirst(frame.current, Object.keys(byField))
      return
    }
    if (error instanceof ApiError && error.status === 409 && base) {
      const { _version, ...changes } = body
      const saved = error.current as unknown
      if (isRecord(saved) && saved._version !== _version) {
        setConflict({ conflict: compareVersions(entity, base, changes, saved), changes, saved })
        return
      }
    }
    setHead([
      error instanceof ApiError && error.status === 0
        ? `${errorMessage(error)}. Введённое сохранено в черновике.`
        : errorMessage(error),
    ])
    focusFirst(frame.current, [])
  }

  const send = async (body: Values) => {
    setHead([])
    try {
      const row = await save.mutateAsync(base ? { id: base.id, ...body } : body)
      setConflict(undefined)
      if (parts?.dirty) return void (await sendParts(row))
      open(base ? row : undefined)
      onSaved?.(row as Row<E>)
    } catch (error) {
      showRefusal(error, body)
    }
  }

  const sendParts = async (row: AnyRow) => {
    setHead([])
    open(row)
    setSendingParts(true)
    try {
      await parts?.save(row.id)
      onSaved?.(row as Row<E>)
    } catch (error) {
      setHead([errorMessage(error)])
      focusFirst(frame.current, [])
    } finally {
      setSendingParts(false)
    }
  }

  const submit = form.handleSubmit(
    (values) => {
      const { value } = checkedBody(entity, values, base, fixed, actor)
      if (!value || parts?.wait) return
      if (base && Object.keys(value).length === 0) return parts?.dirty ? sendParts(base) : undefined
      return send(base ? { ...value, _version: base._version } : value)
    },
    (errors) => focusFirst(frame.current, Object.keys(errors)),
  )

  const resolve = (choices: Choices) => {
    if (!conflict) return
    const body = chosenBody(conflict.conflict, conflict.changes, choices)
    if (Object.keys(body).length > 1) return send(body)
    setConflict(undefined)
    if (parts?.dirty) return void sendParts(conflict.saved)
    open(conflict.saved)
    onSaved?.(conflict.saved as Row<E>)
  }

  return {
    submit,
    /** The record itself is being saved; its parts come later. */
    savingRecord: save.isPending,
    saving: save.isPending || sendingParts,
    conflict: conflict?.conflict,
    resolve,
    closeConflict: () => setConflict(undefined),
  }
}

/** Focuses the first of these fields, or scrolls to the messages over the form. */
function focusFirst(frame: HTMLFormElement | null, fields: Iterable<string>): void {
  const wrong = new Set(fields)
  for (const field of frame?.querySelectorAll<HTMLElement>('[data-field]') ?? []) {
    if (!wrong.has(field.dataset.field as string)) continue
    field.querySelector<HTMLElement>('input, textarea, [contenteditable="true"], button')?.focus()
    return
  }
  frame?.querySelector<HTMLElement>('[data-form-head]')?.scrollIntoView({ block: 'nearest' })
}
