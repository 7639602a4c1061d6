import type { QueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { notify } from '#kit/notify.tsx'

/** Separates two merged cards, with a toast. */
export async function unmergeCards(cache: QueryClient, idMerge: number): Promise<void> {
  try {
    await api('POST /customers/merges/:id/undo', { params: { id: idMerge } }, { forbidden: 'toast' })
    await Promise.all(
      [['records'], ['customers', 'similar'], ['customers', 'duplicates']].map((queryKey) =>
        cache.invalidateQueries({ queryKey }),
      ),
    )
    notify.success('Карты разъединены')
  } catch (error) {
    notify.error(errorMessage(error), { title: 'Карты не разъединены' })
  }
}
