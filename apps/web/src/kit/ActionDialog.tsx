import { Alert, Group, Stack } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { ActionButton } from './ActionButton.tsx'
import { Dialog, type DialogProps } from './Dialog.tsx'

/** The message of a field, while there is one: `error={errorOf('name')}`. */
export type ErrorOf = (field: string) => string | undefined

interface Props extends Pick<DialogProps, 'title' | 'size' | 'closeOnClickOutside' | 'withCloseButton' | 'fullScreen'> {
  /** The fields, or what is asked. */
  children?: ReactNode | ((errorOf: ErrorOf) => ReactNode)
  /**
   * Does it; the dialog is busy until then, and closes after. false: it was refused and said so, the dialog stays. What
   * is thrown is shown in the dialog, the messages of fields (`byField` of the error) at the fields that ask for them.
   * @param signal aborted when a `stoppable` dialog is closed meanwhile
   */
  run: (signal: AbortSignal) => unknown
  /** What the button says. */
  action: ReactNode
  /** «Отмена» unless told; null: there is no way back. */
  cancel?: string | null
  /** It destroys something: the button is red, and the focus is on the other one when there is no field. */
  danger?: boolean
  disabled?: boolean
  /** What is wrong by field: shown, and in the way, from the first try on. */
  faults?: Record<string, string | undefined | false>
  /** Stands over what went wrong. */
  failed?: string
  /** More buttons, before the two. */
  more?: ReactNode
  /** Closing it stops what runs; else it stays open until that is done. */
  stoppable?: boolean
  onClose: () => void
}

/** Asks and then does: busy, cancel, Enter and Ctrl+Enter, errors and focus are here, once. */
export function ActionDialog(props: Props) {
  const { title, children, run, action, cancel = 'Отмена', danger, disabled, faults = {}, failed, more } = props
  const [tried, setTried] = useState(0)
  const [failure, setFailure] = useState<unknown>()
  const [running, setRunning] = useState<AbortController>()
  // A second press comes before the first one is drawn.
  const busy = useRef(false)

  const frame = useRef<HTMLFormElement>(null)

  const found = Object.fromEntries(Object.entries(faults).filter(([, message]) => message)) as Record<string, string>
  const wrong = Object.keys(found).length > 0
  const messages = { ...messagesOf(failure), ...(tried > 0 && found) }
  const homeless = new Map(Object.entries(messages))
  const errorOf: ErrorOf = (field) => {
    homeless.delete(field)
    return messages[field]
  }
  const content = typeof children === 'function' ? children(errorOf) : children
  const told = [...homeless.values()].join(' ')

  // The button has lost the focus while it was busy; what is wrong is where to go on, else the button.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what goes wrong while one types moves nobody
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
  // What stands in a form hears its events through the portal: a dialog's are its own.
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
        onInput={() => setFailure(undefined)}
      >
        <Stack gap="sm">
          {content}
          {told && (
            <Alert role="alert" color="red" variant="light" title={failed}>
              {told}
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

/** The first field, else the button that does no harm; a field that opens its list on focus is left alone. */
function beginAtField(form: HTMLFormElement | null): void {
  if (!form || form.querySelector('[data-autofocus]')) return
  const field = form.querySelector(
    'textarea, [contenteditable="true"], input:not([type="hidden"], [type="file"], [aria-haspopup]:not([readonly]))',
  )
  const first = field ?? form.querySelector('[data-first]:not(:disabled)')
  first?.setAttribute('data-autofocus', 'true')
}

/** Messages by field; '' for what is no field's. What has been told already (a refusal by rights) is not told again. */
function messagesOf(failure: unknown): Record<string, string> {
  if (failure === undefined) return {}
  const {
    byField = {},
    told,
    message,
  } = failure as { byField?: Record<string, string>; told?: boolean; message?: string }
  if (told) return {}
  return Object.keys(byField).length ? byField : { '': message || 'Неизвестная ошибка' }
}
