import { Alert, Group } from '@mantine/core'
import { can } from '@ordinator/model/access'
import type { Create, Entity, Row } from '@ordinator/model/entity'
import { IconAlertTriangle, IconHistory, IconRefresh } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { FormProvider, type Resolver, useForm } from 'react-hook-form'
import { ApiError, errorMessage, isRecord } from '#base/apiError.ts'
import { useDraft } from '#base/draft.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatHuman } from '#kit/clock.ts'
import { useUnsavedGuard } from '#kit/useUnsavedGuard.ts'
import { type Choices, type Conflict, changesOf, chosenBody, compareVersions } from './conflict.ts'
import type { AnyRow } from './fields/ui.ts'
import { ConflictDialog } from './form/ConflictDialog.tsx'
import { RecordFormContext } from './form/formContext.ts'
import { checkedBody, openedValues, sortErrors, type Values } from './form/formValues.ts'
import { RecordFields } from './form/RecordFields.tsx'
import classes from './RecordForm.module.css'
import { useSave } from './writes.ts'

/** Parts of a form that are saved after its record: pictures, lines. */
export interface FormParts {
  dirty: boolean
  /** Reason why the form cannot be saved yet. */
  wait?: string
  /** Saves the parts. On an exception the record stays saved, the form stays open, and saving again resumes here. */
  save: (idRecord: number) => Promise<void>
  /** Reverts to the saved state. */
  discard: () => void
}

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

/** Unsaved input, with the values it was based on. */
interface Kept {
  changes: Values
  was: Values
  version?: number
}

/**
 * The form of an entity. Validates like the server, keeps a draft, asks before leaving, shows a stale write as a conflict.
 * Ctrl+Enter saves. `<RecordForm entity={Board}><RecordField name="name" /></RecordForm>`
 */
export function RecordForm<E extends Entity>(props: Props<E>) {
  const { entity, initial, onSaved, onCancel, children, context, parts } = props
  const fixed = (props.fixed ?? {}) as Values
  const given = props.record as AnyRow | undefined
  const actor = useActor()
  const draft = useDraft<Kept>(`${entity.path}:${given?.id ?? 'new'}${props.draft ? `:${props.draft}` : ''}`)
  const [kept] = useState(() => draft.found)
  /** The record that editing started from. */
  const [base, setBase] = useState<AnyRow | undefined>(() =>
    given && kept ? { ...given, ...kept.value.was, _version: kept.value.version ?? given._version } : given,
  )
  const [opened, setOpened] = useState<Values>(() => openedValues(entity, actor, base, initial as Values))
  const form = useForm<Values>({
    defaultValues: kept
      ? { ...openedValues(entity, actor, given, initial as Values), ...known(kept.value.changes, opened) }
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
  const shown = useRef(new Set<string>())
  const frame = useRef<HTMLFormElement>(null)
  const [restored, setRestored] = useState(kept?.at)
  const [dirty, setDirty] = useState(kept !== undefined)
  const [head, setHead] = useState<string[]>([])
  const [conflict, setConflict] = useState<{ conflict: Conflict; changes: Values; saved: AnyRow }>()
  const save = useSave<Entity>(entity, { optimistic: false, toast: false })
  const [sendingParts, setSendingParts] = useState(false)
  const saving = save.isPending || sendingParts
  const allowed = can(actor, base ? 'update' : 'create', entity, base, context)
  const moved = given !== undefined && base !== undefined && Number(given._version) > Number(base._version)

  // A dialog focuses its content itself; a form on the page does it here.
  useEffect(() => frame.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])

  const unsaved = dirty || parts?.dirty === true
  useUnsavedGuard(unsaved && allowed)

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
    const values = openedValues(entity, actor, row, initial as Values)
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

  // Without unsaved input the form follows the record.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `open` is made anew with each render
  useEffect(() => {
    if (moved && !dirty && !save.isPending) queueMicrotask(() => open(given))
  }, [moved, dirty, save.isPending])

  /** Sets a field as an initial value: it does not count as input, and leaving asks nothing. */
  const begin = useCallback(
    (name: string, value: unknown) =>
      queueMicrotask(() => {
        flushSync(() => setOpened((values) => ({ ...values, [name]: value })))
        form.resetField(name, { defaultValue: value })
      }),
    [form],
  )

  const focusFirst = (fields: Iterable<string>) => {
    const wrong = new Set(fields)
    for (const field of frame.current?.querySelectorAll<HTMLElement>('[data-field]') ?? []) {
      if (!wrong.has(field.dataset.field as string)) continue
      field.querySelector<HTMLElement>('input, textarea, [contenteditable="true"], button')?.focus()
      return
    }
    frame.current?.querySelector<HTMLElement>('[data-form-head]')?.scrollIntoView({ block: 'nearest' })
  }

  const refused = (error: unknown, body: Values) => {
    if (error instanceof ApiError && error.status === 422 && error.fields) {
      const { byField, head: rest } = sortErrors(entity, error.fields, shown.current)
      for (const [name, message] of Object.entries(byField)) form.setError(name, { type: 'server', message })
      setHead(rest)
      focusFirst(Object.keys(byField))
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
        ? `${error.message}. Введённое сохранено в черновике.`
        : errorMessage(error),
    ])
    focusFirst([])
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
      refused(error, body)
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
      focusFirst([])
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
    (errors) => focusFirst(Object.keys(errors)),
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
      <RecordFormContext value={{ entity, actor, record: base, readOnly: !allowed, shown: shown.current, begin }}>
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
          {head.length > 0 && (
            <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} role="alert" data-form-head>
              {head.map((message) => (
                <div key={message}>{message}</div>
              ))}
            </Alert>
          )}
          {restored && (
            <Notice
              icon={<IconHistory size={18} />}
              action="Отменить черновик"
              onAction={() => {
                open(given)
                parts?.discard()
              }}
            >
              Восстановлено несохранённое: {formatHuman(restored)}
            </Notice>
          )}
          {moved && dirty && (
            <Notice icon={<IconRefresh size={18} />}>
              Запись изменили, пока вы её правите. При сохранении вы увидите обе версии.
            </Notice>
          )}
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
            conflict={conflict.conflict}
            onResolve={resolve}
            onClose={() => setConflict(undefined)}
          />
        )}
      </RecordFormContext>
    </FormProvider>
  )
}

/** Drops fields of an outdated draft that the form does not have. */
const known = (changes: Values, fields: Values): Values =>
  Object.fromEntries(Object.entries(changes ?? {}).filter(([name]) => Object.hasOwn(fields, name)))

interface NoticeProps {
  icon: ReactNode
  children: ReactNode
  action?: string
  onAction?: () => void
}

function Notice({ icon, children, action, onAction }: NoticeProps) {
  return (
    <div className={classes.notice} role="status">
      {icon}
      <span className={classes.noticeText}>{children}</span>
      {action && <ActionButton label={action} variant="subtle" size="compact-sm" onClick={onAction} />}
    </div>
  )
}
