import { Import } from '@ordinator/model/areas/imports/import'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorMessage } from '#base/apiError.ts'
import { confirm } from '#kit/confirm.ts'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { importCalls } from './importCalls.ts'

const NAMED = 5

/** Reverts an import; asks about records changed by others since. */
export function useRevert() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (id: number) => {
      const { total, items } = await importCalls.changed(id)
      if (total === 0) return importCalls.revert(id)
      const lines = items.slice(0, NAMED).map(({ title, user }) => `• ${title} — ${user}`)
      const more = total > lines.length ? [`и ещё ${total - lines.length}`] : []
      const force = await confirm({
        title: 'Отменить импорт',
        message: ['После импорта эти записи изменили другие:', ...lines, ...more, '', 'Убрать и их?'].join('\n'),
        confirm: 'Убрать все',
        cancel: 'Оставить изменённые',
        danger: true,
      })
      return importCalls.revert(id, force)
    },
    onError: (error) => notify.error(errorMessage(error)),
    onSettled: () => void invalidateRecords(cache, Import.path),
  })
}
