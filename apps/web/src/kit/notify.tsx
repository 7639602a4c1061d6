import { randomId } from '@mantine/hooks'
import type { NotificationData } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { ActionButton } from './ActionButton.tsx'
import { bindHotkey } from './hotkeys.ts'

const TIMEOUT_MS = 5_000
const LONG_TIMEOUT_MS = 10_000

export interface ToastOptions {
  title?: string
  /** Milliseconds, default 5000; false: stays until closed. */
  timeout?: number | false
  /** A toast with the id of a visible one is not shown again. */
  id?: string
  position?: 'top-right' | 'bottom-right'
}

type Tone = 'success' | 'error' | 'info'

const tones: Record<Tone, { color: string; icon: ReactNode }> = {
  success: { color: 'teal', icon: <IconCheck size={18} /> },
  error: { color: 'red', icon: <IconAlertTriangle size={18} /> },
  info: { color: 'gray', icon: <IconInfoCircle size={18} /> },
}

/** Toasts. Each method returns the id for `notify.hide`. */
export const notify = {
  success: (message: ReactNode, options?: ToastOptions) => show('success', message, options),
  error: (message: ReactNode, options?: ToastOptions) => show('error', message, options),
  info: (message: ReactNode, options?: ToastOptions) => show('info', message, options),

  /** Reports a finished action with undo, by the button or Ctrl+Z while the toast is visible. */
  undo(message: ReactNode, onUndo: () => void | Promise<void>, options?: ToastOptions): string {
    let open = true
    const undo = () => {
      if (!open) return
      open = false
      notify.hide(id)
      void onUndo()
    }
    const release = bindHotkey('mod+z', undo)
    const id = put({
      ...tones.info,
      autoClose: options?.timeout ?? LONG_TIMEOUT_MS,
      title: options?.title,
      id: options?.id,
      position: options?.position,
      message: (
        <span style={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 12 }}>
          <span>{message}</span>
          <ActionButton label="Отменить" flex="none" size="compact-sm" variant="light" onClick={undo} />
        </span>
      ),
      onClose: () => {
        open = false
        release()
      },
    })
    return id
  },

  /** The server has been updated meanwhile; stays until it is closed. */
  newVersion: () =>
    void put({
      ...tones.info,
      id: 'version',
      autoClose: false,
      title: 'Ординатор обновился',
      message: (
        <span style={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 12 }}>
          <span>Обновите страницу, когда будет удобно: начатое не пропадёт.</span>
          <ActionButton
            label="Обновить"
            flex="none"
            size="compact-sm"
            variant="light"
            onClick={() => location.reload()}
          />
        </span>
      ),
    }),

  /** No answer from the network (spec §8). Shown once, however many calls fail. */
  offline: () =>
    show('error', 'Проверьте подключение к Интернету', {
      title: 'Нет подключения к Интернету',
      timeout: LONG_TIMEOUT_MS,
      id: 'offline',
    }),

  /** Refused by rights (spec §8). */
  denied: (message?: string) =>
    show('error', message || 'Вам не разрешено выполнять данное действие', {
      title: 'Нет доступа',
      timeout: LONG_TIMEOUT_MS,
      id: 'denied',
    }),

  /** The toast stays until it is closed: the user is looking at something it has opened. */
  keep: (id: string) => later((stack) => stack.keep(id)),

  hide: (id: string) => later((stack) => stack.hide(id)),
}

type Place = typeof import('./Toasts.tsx')

let arrived: (place: Place) => void = () => {}
const arrival = new Promise<Place>((resolve) => {
  arrived = resolve
})
let loading: Promise<Place> | undefined
/** Loads the place of toasts with its library: a page stands long before its first toast. */
function load(): Promise<Place> {
  loading ??= import('./Toasts.tsx')
  loading.then(arrived, () => {
    loading = undefined
  })
  return loading
}

/** Runs in the order of the calls. `orElse`: the code has not come, and nothing can be shown. */
const later = (act: (stack: Place['stack']) => void, orElse = () => {}) =>
  void load().then(({ stack }) => act(stack), orElse)

/** Loads the place of toasts before it is needed: a toast reports a lost connection too. */
export const loadToasts = () => void load().catch(() => {})

/** Shows toasts, once their code is there. */
export function LateToasts() {
  const [Toasts, setToasts] = useState<Place['default']>()
  useEffect(() => void arrival.then((place) => setToasts(() => place.default)), [])
  return Toasts && <Toasts />
}

/** @returns the id of the toast */
function put({ id = randomId(), ...toast }: NotificationData): string {
  later(
    (stack) => stack.show({ ...toast, id }),
    () => toast.onClose?.({ ...toast, id }),
  )
  return id
}

function show(tone: Tone, message: ReactNode, options: ToastOptions = {}): string {
  return put({
    ...tones[tone],
    message,
    title: options.title,
    id: options.id,
    position: options.position,
    autoClose: options.timeout ?? TIMEOUT_MS,
  })
}
