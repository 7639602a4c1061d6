/** Sound and browser notifications: once for each notice, whatever number of tabs is open. */

import { storage } from '#kit/root.ts'

/** The last notice that some tab of this browser has alerted of. */
const ALERTED = 'ordinator.alerted'
const LOCK = 'ordinator.alerts'
/** A tab that nobody looks at lets the one in front go first. */
const HIDDEN_WAIT_MS = 300

/** Runs `alert` in one tab alone for all notices up to this id. */
export async function alertOnce(id: number, alert: () => void): Promise<void> {
  if (!document.hasFocus()) await new Promise((resolve) => setTimeout(resolve, HIDDEN_WAIT_MS * (1 + Math.random())))
  const claim = () => {
    if (Number(storage.getItem(ALERTED) ?? 0) >= id) return
    storage.setItem(ALERTED, String(id))
    alert()
  }
  // Absent on a clinic's network without https; there the wait alone keeps the tabs apart.
  if (navigator.locks) await navigator.locks.request(LOCK, claim)
  else claim()
}

/** When this browser sounded last, ms. */
const SOUNDED = 'ordinator.sounded'
/** What is not read yet is told again so often, ms. */
const REMIND_MS = 30_000
/** What has just sounded is reminded of half a minute later, give or take. */
const SLACK_MS = 2_000
const REMINDER = 'ordinator.reminder'

/**
 * Sounds again and again until it is ended, in one tab alone: the one that has the lock, as long as it lives.
 * @param may asked each time
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
  // Whoever waited for the lock when it ended is let go by an error.
  if (navigator.locks) navigator.locks.request(REMINDER, { signal }, leads).catch(() => {})
  else begin()
  return () => {
    gone.abort()
    clearInterval(timer)
  }
}

let sounding: AudioContext | undefined

/** Two short soft tones. A browser that has not been clicked yet keeps silent. */
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
    // No sound device; the notice itself is on the screen.
  }
}

type Permission = NotificationPermission | 'absent'

/** What the browser allows; absent: it has no notifications, or none without https. */
export const popupPermission = (): Permission => ('Notification' in window ? Notification.permission : 'absent')

/** Asks the person; only from a click. */
export async function askPopupPermission(): Promise<Permission> {
  return 'Notification' in window ? Notification.requestPermission() : 'absent'
}

/** A notification of the browser; not over a window that the person is looking at. */
export function popup(notice: { id: number; title: string; text: string | null }, onClick: () => void): void {
  if (popupPermission() !== 'granted' || document.hasFocus()) return
  const shown = new Notification(notice.title, { body: notice.text ?? '', tag: `ordinator-${notice.id}`, lang: 'ru' })
  shown.onclick = () => {
    window.focus()
    shown.close()
    onClick()
  }
}
