import { type ChangeEvent, type ReactNode, useState } from 'react'
import { ActionDialog, type ActionDialogProps, type ErrorOf } from './ActionDialog.tsx'

type Named<D, V> = { [K in keyof D]: D[K] extends V ? K : never }[keyof D] & string

/** The draft with its required values present. */
type Ready<D, R extends keyof D> = { [K in keyof D]: K extends R ? NonNullable<D[K]> : D[K] }

/** Props of the controls by the name of their field: `<TextInput label="Причина" {...text('reason')} />`. */
export interface FormFields<D> {
  text: (name: Named<D, string>) => {
    value: string
    required?: true
    error: string | undefined
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void
  }
  /** For a `NumberField`, which passes an unreadable text on. */
  number: (name: Named<D, number | null>) => {
    value: number | string | null
    required?: true
    error: string | undefined
    onChange: (value: number | string | null) => void
  }
  /** For a record, a day, a moment. */
  value: <K extends keyof D & string>(
    name: K,
  ) => {
    value: D[K]
    required?: true
    error: string | undefined
    onChange: (value: D[K]) => void
  }
  /** For a choice that is never empty. */
  choice: <K extends Named<D, string>>(name: K) => { value: D[K]; onChange: (value: string | null) => void }
  draft: D
  set: (patch: Partial<D>) => void
  errorOf: ErrorOf
}

interface Props<D, R extends keyof D, A> extends Omit<ActionDialogProps, 'action' | 'children' | 'faults' | 'run'> {
  /** Label of the button. */
  action: ReactNode | ((draft: D) => ReactNode)
  /** Initial values. */
  draft: D
  /** Messages for fields left empty. */
  required?: Record<R, string>
  /** Messages of other rules. */
  faults?: (draft: D) => Record<string, string | undefined | false>
  /** Names of fields in errors of the server, where they are not those of the draft: `{ sum: 'parts.0.sum' }`. */
  names?: Partial<Record<keyof D, string>>
  /** Sends the draft, its texts trimmed. An exception is shown at the fields it names. */
  send: (ready: Ready<D, R>, signal: AbortSignal) => Promise<A>
  /** Called with the answer before the dialog closes; false: it stays. */
  done?: (answer: A) => unknown
  children: (fields: FormFields<D>) => ReactNode
}

/** A dialog of fields for one call: holds the draft, checks what is required, shows refusals at their fields. */
export function FormDialog<D extends object, R extends keyof D = never, A = unknown>(props: Props<D, R, A>) {
  const { draft: initial, required, faults, names, send, done, action, children, ...dialog } = props
  const [draft, setDraft] = useState(initial)
  /** Texts of number fields that are no numbers. */
  const [unread, setUnread] = useState<Readonly<Record<string, string | undefined>>>({})
  const set = (patch: Partial<D>) => setDraft((now) => ({ ...now, ...patch }))
  const put = (name: keyof D, value: unknown) => setDraft((now) => ({ ...now, [name]: value }))
  const nameOf = (name: keyof D) => names?.[name] ?? String(name)
  /** Marked before anything is wrong. */
  const markOf = (name: keyof D) => (required !== undefined && name in required ? { required: true as const } : {})
  const missing = Object.entries<string>(required ?? {}).map(([name, message]) => [
    nameOf(name as keyof D),
    isEmpty(draft[name as keyof D]) && message,
  ])
  const wrong = Object.entries(unread).flatMap(([name, text]) =>
    text === undefined || (required && name in required) ? [] : [[nameOf(name as keyof D), 'Нужно число']],
  )
  const fieldsBy = (errorOf: ErrorOf): FormFields<D> => ({
    text: (name) => ({
      value: draft[name] as string,
      ...markOf(name),
      error: errorOf(nameOf(name)),
      onChange: (event) => put(name, event.currentTarget.value),
    }),
    number: (name) => ({
      value: unread[name] ?? (draft[name] as number | null),
      ...markOf(name),
      error: errorOf(nameOf(name)),
      onChange: (value) => {
        const isText = typeof value === 'string'
        setUnread((now) => ({ ...now, [name]: isText ? value : undefined }))
        put(name, isText ? null : value)
      },
    }),
    value: (name) => ({
      value: draft[name],
      ...markOf(name),
      error: errorOf(nameOf(name)),
      onChange: (value) => put(name, value),
    }),
    choice: (name) => ({
      value: draft[name],
      onChange: (value) => {
        if (value !== null) put(name, value)
      },
    }),
    draft,
    set,
    errorOf,
  })
  return (
    <ActionDialog
      {...dialog}
      action={typeof action === 'function' ? action(draft) : action}
      faults={{ ...Object.fromEntries([...missing, ...wrong]), ...faults?.(draft) }}
      run={async (signal) => {
        const answer = await send(trimmed(draft) as Ready<D, R>, signal)
        return done?.(answer)
      }}
    >
      {(errorOf) => children(fieldsBy(errorOf))}
    </ActionDialog>
  )
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '')

const trimmed = <D extends object>(draft: D): D =>
  Object.fromEntries(
    Object.entries(draft).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  ) as D
