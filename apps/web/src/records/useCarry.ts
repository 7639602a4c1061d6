import { useQueryClient } from '@tanstack/react-query'
import { invalidateRecords } from './keys.ts'
import { notifyTitledFailure } from './notifyFailure.ts'

/** Calls of a record whose answers change the records at these paths. */
export function useCarry(...paths: readonly string[]) {
  const cache = useQueryClient()
  /** Reads the records again. */
  const again = async () => {
    for (const path of paths) await invalidateRecords(cache, path)
  }
  /** @param title of the toast when the call fails */
  const carry = async (title: string, work: () => Promise<unknown>) => {
    try {
      await work()
      await again()
    } catch (error) {
      notifyTitledFailure(title, error)
    }
  }
  return { again, carry }
}
