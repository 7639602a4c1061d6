import type { RefObject } from 'react'
import { useHotkey } from './hotkeys.ts'

/** `j` and `k` move over the rows of a list, across groups; Enter is handled by the link. */
export function useRowKeys(frame: RefObject<HTMLElement | null>, enabled: boolean): void {
  const go = (step: number) => {
    const rows = [...(frame.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const at = rows.indexOf(document.activeElement as HTMLElement)
    rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + step))]?.focus()
  }
  const on = { enabled, group: 'Список' }
  useHotkey('j', () => go(1), { ...on, label: 'Следующая строка' })
  useHotkey('k', () => go(-1), { ...on, label: 'Предыдущая строка' })
}
