import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { readLaboratory } from '../reads.ts'
import type { Cell } from './cell.ts'

/** Calls on the values of the matrix: confirm, return, repeat, choose, enter. */
export function useMatrixCalls() {
  const cache = useQueryClient()
  const act = useMutation({
    mutationFn: async ({ call, ids }: { call: 'technical' | 'medical' | 'back' | 'repeat'; ids: number[] }) => {
      const names = {
        technical: 'POST /laboratory/results/technical',
        medical: 'POST /laboratory/results/medical',
        back: 'POST /laboratory/results/back',
        repeat: 'POST /laboratory/results/repeat',
      } as const
      await api(names[call] as 'POST /laboratory/results/technical', { body: { ids } }, { forbidden: 'toast' })
    },
    onError: notifyFailure,
    onSettled: () => readLaboratory(cache),
  })
  const choose = useMutation({
    mutationFn: (idResult: number) =>
      api('POST /laboratory/results/:id/choose', { params: { id: idResult } }, { forbidden: 'toast' }),
    onError: notifyFailure,
    onSettled: () => readLaboratory(cache),
  })
  const enter = async (cell: Cell, idAnalyte: number, value: string): Promise<boolean> => {
    try {
      await api(
        'POST /laboratory/results/enter',
        { body: { values: [{ idItem: cell.idItem, idAnalyte, value }] } },
        { forbidden: 'toast' },
      )
      await readLaboratory(cache)
      return true
    } catch (error) {
      notifyFailure(error)
      return false
    }
  }
  return { act, choose, enter }
}
