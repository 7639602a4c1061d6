import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import { useQueryClient } from '@tanstack/react-query'
import { records } from '../../base/client.ts'
import { confirm } from '../../kit/confirm.ts'
import { invalidateRecords } from '../../records/keys.ts'
import { toastDone, toastFailed } from './toasts.ts'

/** Asks, deletes and says so (spec §2, §8); true when it is done. */
export function useRemoveRegulations() {
  const cache = useQueryClient()
  return async (regulations: readonly { id: number; name: string }[]): Promise<boolean> => {
    const count = regulations.length
    const message =
      count === 1 ? `Удалить регламент «${regulations[0]?.name}»?` : `Удалить выбранные регламенты: ${count}?`
    if (!(await confirm({ message, confirm: 'Удалить', danger: true }))) return false
    try {
      await records.batch(Regulation, { delete: regulations.map(({ id }) => id) })
      toastDone(`Удалено ${count} регламент(ов)`)
      return true
    } catch (error) {
      toastFailed('Ошибка при удалении', error)
      return false
    } finally {
      void invalidateRecords(cache, Regulation.path)
    }
  }
}
