import { useBlocker } from '@tanstack/react-router'
import { confirm } from './confirm.ts'

/**
 * Asks before leaving a page with unsaved changes, by a link, Back or the closing of the tab. A change of the address's
 * search alone is no leaving; nor is the end of the session, which the draft outlives.
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
