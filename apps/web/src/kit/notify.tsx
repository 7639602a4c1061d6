import { notifications, notificationsStore } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
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
      notifications.hide(id)
      void onUndo()
    }
    const release = bindHotkey('mod+z', undo)
    const id = notifications.show({
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
    void notifications.show({
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
  keep(id: string): void {
    const standing = notificationsStore.getState().notifications.find((one) => one.id === id)
    if (standing) notifications.update({ ...standing, id, autoClose: false })
  },

  hide: (id: string) => void notifications.hide(id),
}

function show(tone: Tone, message: ReactNode, options: ToastOptions = {}): string {
  return notifications.show({
    ...tones[tone],
    message,
    title: options.title,
    id: options.id,
    position: options.position,
    autoClose: options.timeout ?? TIMEOUT_MS,
  })
}
