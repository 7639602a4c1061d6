import { Group } from '@mantine/core'
import { can } from '@ordinator/model/access'
import type { Create, Entity, Row } from '@ordinator/model/entity'
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { FormProvider } from 'react-hook-form'
import { ActionButton } from '#kit/ActionButton.tsx'
import { leaveFilled, markFirstField } from '#kit/firstField.ts'
import { useUnsavedGuard } from '#kit/useUnsavedGuard.ts'
import type { AnyRow } from './fields/ui.ts'
import { ConflictDialog } from './form/ConflictDialog.tsx'
import { FormNotices } from './form/FormNotices.tsx'
import { RecordFormContext } from './form/formContext.ts'
import type { FormParts } from './form/formParts.ts'
import type { Values } from './form/formValues.ts'
import { RecordFields } from './form/RecordFields.tsx'
import { useFormInput } from './form/useFormInput.ts'
import { useFormSave } from './form/useFormSave.ts'
import classes from './RecordForm.module.css'

interface Props<E extends Entity> {
  entity: E
  /** The record to edit; absent: a new one. */
  record?: Row<E>
  /** Initial values of a new record. */
  initial?: Partial<Create<E>>
  /** Values that a new record always gets: the board of a column. */
  fixed?: Partial<Create<E>>
  onSaved?: (row: Row<E>) => void
  onCancel?: () => void
  /** The fields in a custom layout; default: all of them in the standard grid. */
  children?: ReactNode
  /** Separates drafts of several forms for new records. */
  draft?: string
  saveLabel?: string
  parts?: FormParts
  /** Before the buttons, on the left: deleting. */
  foot?: ReactNode
  /** Extra input of the entity's rule for rights. */
  context?: unknown
}

/**
 * The form of an entity. Validates like the server, keeps a draft, asks before leaving, shows a stale write as a conflict.
 * Ctrl+Enter saves. `<RecordForm entity={Board}><RecordField name="name" /></RecordForm>`
 */
export function RecordForm<E extends Entity>(props: Props<E>) {
  const { entity, onSaved, onCancel, children, context, parts } = props
  const fixed = (props.fixed ?? {}) as Values
  const given = props.record as AnyRow | undefined
  const frame = useRef<HTMLFormElement>(null)
  const input = useFormInput({ entity, given, initial: props.initial as Values, fixed, draftName: props.draft })
  const { actor, form, base, open, shown, dirty, restored, head } = input
  const begin = useCallback(
    (name: string, value: unknown) => {
      input.begin(name, value)
      leaveFilled(frame.current, name)
    },
    [input.begin],
  )
  const { submit, saving, savingRecord, conflict, resolve, closeConflict } = useFormSave({
    entity,
    fixed,
    input,
    frame,
    parts,
    onSaved,
  })
  const allowed = can(actor, base ? 'update' : 'create', entity, base, context)
  const moved = given !== undefined && base !== undefined && Number(given._version) > Number(base._version)
  const unsaved = dirty || parts?.dirty === true
  useUnsavedGuard(unsaved && allowed)

  // A dialog focuses its content itself; a form on the page does it here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    if (frame.current && allowed && !base) markFirstField(frame.current)
  }, [])
  useEffect(() => frame.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])

  // Without unsaved input the form follows the record.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `open` is made anew with each render
  useEffect(() => {
    if (moved && !dirty && !savingRecord) queueMicrotask(() => open(given))
  }, [moved, dirty, savingRecord])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !allowed) return
    // A form over this one submits itself.
    if (!frame.current?.contains(event.target as Node)) return
    event.preventDefault()
    event.stopPropagation()
    if (!saving) void submit()
  }

  return (
    <FormProvider {...form}>
      <RecordFormContext value={{ entity, actor, record: base, readOnly: !allowed, shown, begin }}>
        <form
          ref={frame}
          className={classes.form}
          noValidate
          aria-label={base ? `Изменение: ${entity.label[0]}` : `Создание: ${entity.label[0]}`}
          onKeyDownCapture={onKeyDown}
          onSubmit={(event) => {
            event.stopPropagation()
            void submit(event)
          }}
        >
          <FormNotices
            head={head}
            restored={restored}
            onDropDraft={() => {
              open(given)
              parts?.discard()
            }}
            outdated={moved && dirty}
          />
          {children ?? <RecordFields autoFocus={!base} />}
          {(allowed || onCancel) && (
            <Group justify="flex-end" gap={8} className={classes.foot}>
              {props.foot && <div className={classes.footStart}>{props.foot}</div>}
              {onCancel && <ActionButton label={allowed ? 'Отмена' : 'Закрыть'} variant="default" onClick={onCancel} />}
              {allowed && (
                <ActionButton
                  label={props.saveLabel ?? (base ? 'Сохранить' : 'Создать')}
                  type="submit"
                  loading={saving}
                  disabled={(base !== undefined && !unsaved) || parts?.wait !== undefined}
                  title={parts?.wait ?? 'Ctrl+Enter'}
                />
              )}
            </Group>
          )}
        </form>
        {conflict && base && (
          <ConflictDialog
            entity={entity}
            id={base.id}
            conflict={conflict}
            onResolve={resolve}
            onClose={closeConflict}
          />
        )}
      </RecordFormContext>
    </FormProvider>
  )
}
