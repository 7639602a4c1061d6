import { Alert, Group, Stack } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { ActionButton } from './ActionButton.tsx'
import { Dialog, type DialogProps } from './Dialog.tsx'
import { markFirstField } from './firstField.ts'

/** The error message of a field, if any: `error={errorOf('name')}`. */
export type ErrorOf = (field: string) => string | undefined

export interface ActionDialogProps
  extends Pick<DialogProps, 'title' | 'size' | 'closeOnClickOutside' | 'withCloseButton' | 'fullScreen'> {
  /** The fields or the question. */
  children?: ReactNode | ((errorOf: ErrorOf) => ReactNode)
  /**
   * Performs the action; the dialog is busy meanwhile and then closes. false: it has reported a failure, the dialog stays.
   * An exception is shown in the dialog, its messages by field (`byField`) at the fields that use `errorOf`.
   * @param signal aborted when a `stoppable` dialog is closed meanwhile
   */
  run: (signal: AbortSignal) => unknown
  /** Label of the button. */
  action: ReactNode
  /** Default «Отмена»; null: no cancel button. */
  cancel?: string | null
  /** A destructive action: the button is red, and the other one has the focus when there is no field. */
  danger?: boolean
  disabled?: boolean
  /** Validation errors by field: shown, and blocking, from the first attempt on. */
  faults?: Record<string, string | undefined | false>
  /** Title above the error. */
  failed?: string
  /** More buttons, before the two. */
  more?: ReactNode
  /** Closing aborts the action; otherwise the dialog stays open until it is done. */
  stoppable?: boolean
  onClose: () => void
}

/** A dialog with an action: handles busy state, cancel, Enter and Ctrl+Enter, errors and focus. */
export function ActionDialog(props: ActionDialogProps) {
  const { title, children, run, action, cancel = 'Отмена', danger, disabled, faults = {}, failed, more } = props
  const [tried, setTried] = useState(0)
  const [failure, setFailure] = useState<unknown>()
  const [running, setRunning] = useState<AbortController>()
  // A second press may come before the first one is rendered.
  const busy = useRef(false)

  const frame = useRef<HTMLFormElement>(null)

  const found = Object.fromEntries(Object.entries(faults).filter(([, message]) => message)) as Record<string, string>
  const wrong = Object.keys(found).length > 0
  const messages = { ...messagesOf(failure), ...(tried > 0 && found) }
  const unclaimed = new Map(Object.entries(messages))
  const errorOf: ErrorOf = (field) => {
    unclaimed.delete(field)
    return messages[field]
  }
  const content = typeof children === 'function' ? children(errorOf) : children
  const general = [...unclaimed.values()].join(' ')

  // The button lost the focus while it was busy: focus the first error, or else the button.
  // biome-ignore lint/correctness/useExhaustiveDependencies: errors while typing move no focus
  useEffect(() => {
    if (tried === 0 || running) return
    const field = failure !== undefined || wrong ? find('[aria-invalid="true"]') : undefined
    if (field) field.focus()
    else if (document.activeElement?.contains(frame.current)) find('[type="submit"]')?.focus()
  }, [tried, failure, running])
  const find = (selector: string) => frame.current?.querySelector<HTMLElement>(selector)

  const start = async () => {
    if (busy.current || disabled) return
    setTried((times) => times + 1)
    setFailure(undefined)
    if (wrong) return
    const stop = new AbortController()
    busy.current = true
    setRunning(stop)
    try {
      const done = await run(stop.signal)
      busy.current = false
      if (done !== false && !stop.signal.aborted) props.onClose()
    } catch (error) {
      busy.current = false
      if (!stop.signal.aborted) setFailure(error)
    }
    setRunning(undefined)
  }
  const close = () => {
    if (cancel === null || (busy.current && !props.stoppable)) return
    running?.abort()
    props.onClose()
  }
  // Events of nested portals bubble through React: handle only this dialog's own.
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    void start()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
    event.preventDefault()
    event.stopPropagation()
    void start()
  }
  // A closed choice would take it for its Enter, and open.
  const onKeyDownCapture = (event: KeyboardEvent) => {
    const { target, currentTarget } = event
    const isClosed = target instanceof HTMLInputElement && target.readOnly && target.ariaExpanded !== 'true'
    if (isClosed && currentTarget.contains(target)) onKeyDown(event)
  }
  return (
    <Dialog
      title={title}
      size={props.size}
      fullScreen={props.fullScreen}
      closeOnClickOutside={props.closeOnClickOutside}
      withCloseButton={props.withCloseButton ?? cancel !== null}
      onClose={close}
      onKeyDown={onKeyDown}
    >
      <form
        noValidate
        ref={(form) => {
          frame.current = form
          beginAtField(form)
        }}
        onSubmit={onSubmit}
        onKeyDownCapture={onKeyDownCapture}
        onInput={() => setFailure(undefined)}
      >
        <Stack gap="sm">
          {content}
          {general && (
            <Alert role="alert" color="red" variant="light" title={failed}>
              {general}
            </Alert>
          )}
        </Stack>
        <Group justify="flex-end" mt="lg" gap="xs">
          {more}
          {cancel !== null && (
            <ActionButton
              label={cancel}
              variant="default"
              disabled={running && !props.stoppable}
              onClick={close}
              data-first={danger || undefined}
            />
          )}
          <ActionButton
            label={action}
            type="submit"
            color={danger ? 'red' : undefined}
            loading={running !== undefined}
            disabled={disabled}
            data-first={danger ? undefined : true}
          />
        </Group>
      </form>
    </Dialog>
  )
}

/** Focuses the first field, else the safe button; once, since fields are filled in later. */
function beginAtField(form: HTMLFormElement | null): void {
  if (!form || form.dataset.begun) return
  form.dataset.begun = 'true'
  if (!markFirstField(form)) form.querySelector('[data-first]:not(:disabled)')?.setAttribute('data-autofocus', 'true')
}

/** Messages by field; '' for the rest. An error reported already (a refusal by rights) is not repeated. */
function messagesOf(failure: unknown): Record<string, string> {
  if (failure === undefined) return {}
  const {
    byField = {},
    isShown,
    message,
  } = failure as { byField?: Record<string, string>; isShown?: boolean; message?: string }
  if (isShown) return {}
  return Object.keys(byField).length ? byField : { '': message || 'Неизвестная ошибка' }
}
