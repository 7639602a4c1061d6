/** Sound and browser notifications: once per notification, regardless of the number of tabs. */

import { storage } from '#kit/root.ts'

/** Id of the last notification alerted by any tab. */
const ALERTED = 'ordinator.alerted'
const LOCK = 'ordinator.alerts'
/** Delay of hidden tabs, so that the focused one comes first. */
const HIDDEN_WAIT_MS = 300

/** Runs `alert` in only one tab, for all notifications up to this id. */
export async function alertOnce(id: number, alert: () => void): Promise<void> {
  if (!document.hasFocus()) await new Promise((resolve) => setTimeout(resolve, HIDDEN_WAIT_MS * (1 + Math.random())))
  const claim = () => {
    if (Number(storage.getItem(ALERTED) ?? 0) >= id) return
    storage.setItem(ALERTED, String(id))
    alert()
  }
  // Absent without https; then only the delay separates the tabs.
  if (navigator.locks) await navigator.locks.request(LOCK, claim)
  else claim()
}

/** Time of the last sound of this browser, ms. */
const SOUNDED = 'ordinator.sounded'
/** Interval of reminders of unread notifications, ms. */
const REMIND_MS = 30_000
/** Tolerance of the interval after a sound. */
const SLACK_MS = 2_000
const REMINDER = 'ordinator.reminder'

/**
 * Repeats a sound until stopped, in only one tab: the holder of the lock.
 * @param may checked each time
 */
export function remind(may: () => boolean): () => void {
  const gone = new AbortController()
  const { signal } = gone
  let timer: ReturnType<typeof setInterval> | undefined
  const begin = () => {
    timer = setInterval(() => {
      const since = Date.now() - Number(storage.getItem(SOUNDED) ?? 0)
      if (since >= REMIND_MS - SLACK_MS && may()) chime()
    }, REMIND_MS)
  }
  const leads = () => {
    begin()
    return new Promise<void>((end) => signal.addEventListener('abort', () => end()))
  }
  // Waiting requests of the lock reject when stopped.
  if (navigator.locks) navigator.locks.request(REMINDER, { signal }, leads).catch(() => {})
  else begin()
  return () => {
    gone.abort()
    clearInterval(timer)
  }
}

let sounding: AudioContext | undefined

/** Two short soft tones. Browsers stay silent before the first click. */
export function chime(): void {
  storage.setItem(SOUNDED, String(Date.now()))
  try {
    sounding ??= new AudioContext()
    const audio = sounding
    void audio.resume()
    for (const [at, pitch] of [
      [0, 660],
      [0.14, 880],
    ] as const) {
      const [tone, volume] = [audio.createOscillator(), audio.createGain()]
      const start = audio.currentTime + at
      tone.frequency.value = pitch
      volume.gain.setValueAtTime(0, start)
      volume.gain.linearRampToValueAtTime(0.12, start + 0.02)
      volume.gain.exponentialRampToValueAtTime(0.001, start + 0.28)
      tone.connect(volume).connect(audio.destination)
      tone.start(start)
      tone.stop(start + 0.3)
    }
  } catch {
    // No sound device; the notification is on the screen.
  }
}

type Permission = NotificationPermission | 'absent'

/** Permission of browser notifications; absent: unsupported, or no https. */
export const popupPermission = (): Permission => ('Notification' in window ? Notification.permission : 'absent')

/** Requests the permission; only from a click. */
export async function askPopupPermission(): Promise<Permission> {
  return 'Notification' in window ? Notification.requestPermission() : 'absent'
}

/** Browser notification; not while the window is focused. */
export function popup(notice: { id: number; title: string; text: string | null }, onClick: () => void): void {
  if (popupPermission() !== 'granted' || document.hasFocus()) return
  const shown = new Notification(notice.title, { body: notice.text ?? '', tag: `ordinator-${notice.id}`, lang: 'ru' })
  shown.onclick = () => {
    window.focus()
    shown.close()
    onClick()
  }
}
