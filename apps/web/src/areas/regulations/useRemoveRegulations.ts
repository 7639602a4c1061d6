import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import { useQueryClient } from '@tanstack/react-query'
import { confirm } from '#kit/confirm.ts'
import { invalidateRecords } from '#records/keys.ts'
import { partlyRemoved, removeEach } from '#records/writes.ts'
import { toastDone, toastFailed } from './toasts.ts'

/** Confirms, deletes and shows a toast (spec §2, §8); returns true if deleted. */
export function useRemoveRegulations() {
  const cache = useQueryClient()
  return async (regulations: readonly { id: number; name: string }[]): Promise<boolean> => {
    const count = regulations.length
    const message =
      count === 1 ? `Удалить регламент «${regulations[0]?.name}»?` : `Удалить выбранные регламенты: ${count}?`
    if (!(await confirm({ message, confirm: 'Удалить', danger: true }))) return false
    try {
      const removed = await removeEach(
        Regulation,
        regulations.map(({ id }) => id),
      )
      const { title, why } = partlyRemoved(removed)
      if (removed.done.length) toastDone(removed.refused.size ? title : `Удалено ${count} регламент(ов)`)
      if (removed.refused.size) toastFailed('Ошибка при удалении', why)
      return removed.refused.size === 0
    } catch (error) {
      toastFailed('Ошибка при удалении', error)
      return false
    } finally {
      void invalidateRecords(cache, Regulation.path)
    }
  }
}
