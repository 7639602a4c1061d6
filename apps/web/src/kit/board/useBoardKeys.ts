import { useHotkey } from '../hotkeys.ts'
import type { BoardController } from './controller.ts'

/** Single keys of every board: moving between cards, and selection. */
export function useBoardKeys(controller: BoardController, options: { enabled: boolean; group: string }): void {
  useHotkey('j', () => controller.go('next'), { ...options, label: 'Следующая карточка' })
  useHotkey('k', () => controller.go('previous'), { ...options, label: 'Предыдущая карточка' })
  useHotkey(
    'x',
    () => {
      const id = controller.target()
      if (id !== null) controller.toggleSelected(id)
    },
    { ...options, label: 'Выбрать карточку' },
  )
}
