import { useBlocker } from '@tanstack/react-router'
import { confirm } from './confirm.ts'

/**
 * Asks before leaving a page with unsaved changes, by a link, Back or closing the tab. Changing only the search part of
 * the address does not count; nor does the end of the session, which the draft survives.
 */
export function useUnsavedGuard(dirty: boolean): void {
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (!dirty || current.pathname === next.pathname || next.pathname.endsWith('/login')) return false
      return !(await confirm({
        title: 'Изменения не сохранены',
        message: 'Если уйти со страницы, изменения пропадут.',
        confirm: 'Уйти без сохранения',
        cancel: 'Остаться',
        danger: true,
      }))
    },
    enableBeforeUnload: () => dirty,
  })
}
