import { useEffect, useRef } from 'react'
// Escape goes to a dialog before the page.
import './innermost.ts'

/** A shortcut in the help sheet. */
export interface HotkeyInfo {
  keys: string
  label: string
  group: string
}

interface Binding {
  combination: string
  run: (event: KeyboardEvent) => void
  info?: HotkeyInfo
  whileTyping: boolean
}

/** The latest binding comes first, so that a dialog's keys override those of the page below. */
const bindings: Binding[] = []
const listeners = new Set<() => void>()
let shown: HotkeyInfo[] = []

export interface HotkeyOptions {
  /** For the sheet opened by `?`; without a label the key is not listed. */
  label?: string
  group?: string
  enabled?: boolean
  /** Also active in text fields, like keys with Ctrl. */
  whileTyping?: boolean
}

/**
 * Binds a key while the component is mounted. `combination`: 'mod+k', 'shift+a', 'j', '?', 'escape', 'arrowdown'; mod is
 * Ctrl (Command on a Mac). Letters are read by their position on the keyboard, so they work in the Russian layout.
 */
export function useHotkey(combination: string, run: (event: KeyboardEvent) => void, options: HotkeyOptions = {}): void {
  const latest = useRef(run)
  latest.current = run
  const { label, group = 'Страница', enabled = true, whileTyping } = options
  useEffect(() => {
    if (!enabled) return
    return bind({
      combination,
      run: (event) => latest.current(event),
      info: label ? { keys: combination, label, group } : undefined,
      whileTyping: whileTyping ?? combination.includes('mod+'),
    })
  }, [combination, label, group, enabled, whileTyping])
}

/** The same outside React; returns the function that unbinds. Text fields keep their own Ctrl+Z. */
export function bindHotkey(combination: string, run: () => void): () => void {
  return bind({ combination, run, whileTyping: false })
}

export const hotkeys = {
  list: (): readonly HotkeyInfo[] => shown,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function bind(binding: Binding): () => void {
  bindings.unshift(binding)
  refresh()
  return () => {
    bindings.splice(bindings.indexOf(binding), 1)
    refresh()
  }
}

function refresh(): void {
  const known = new Set<string>()
  shown = bindings
    .flatMap((binding) => binding.info ?? [])
    .filter((info) => !known.has(info.keys + info.label) && known.add(info.keys + info.label))
  for (const listener of listeners) listener()
}

/** The pressed keys in the form of `combination`. Exported for the test. */
export function combinationOf(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
): string {
  const letter = /^Key([A-Z])$/.exec(event.code)?.[1] ?? /^Digit(\d)$/.exec(event.code)?.[1]
  const question = event.key === '?' || (event.key === ',' && event.code === 'Slash')
  const name = question ? '?' : (letter ?? (event.key === ' ' ? 'space' : event.key)).toLowerCase()
  const shift = event.shiftKey && name !== '?'
  return [event.ctrlKey || event.metaKey ? 'mod' : '', event.altKey ? 'alt' : '', shift ? 'shift' : '', name]
    .filter(Boolean)
    .join('+')
}

function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range', 'file'].includes(target.type)
}

if (typeof window !== 'undefined') {
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return
    const combination = combinationOf(event)
    const inField = typing(event.target)
    const binding = bindings.find((b) => b.combination === combination && (b.whileTyping || !inField))
    if (!binding) return
    event.preventDefault()
    binding.run(event)
  })
}
