import { DocumentLine, WarehouseDocument } from '@ordinator/model/areas/warehouse/document'
import { Batch, Stock } from '@ordinator/model/areas/warehouse/stock'
import type { UseQueryResult } from '@tanstack/react-query'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { retries } from '#records/reads.ts'

/** Records that figures of stock are made of. */
export const stockPaths: readonly string[] = [WarehouseDocument.path, DocumentLine.path, Batch.path, Stock.path]

/** An answer of a call of stock, read again with whatever changes it. What was there stays while the next comes. */
export const useStock = <T>(
  key: readonly unknown[],
  ask: (signal: AbortSignal) => Promise<T>,
  live: readonly string[] = stockPaths,
): UseQueryResult<T> =>
  useQuery({
    queryKey: ['warehouse', ...key],
    queryFn: ({ signal }) => ask(signal),
    retry: retries,
    placeholderData: keepPreviousData,
    meta: { live: [...live] },
  })
