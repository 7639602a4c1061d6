import { DocumentLine, WarehouseDocument } from '@ordinator/model/areas/warehouse/document'
import { Batch, Stock } from '@ordinator/model/areas/warehouse/stock'
import type { UseQueryResult } from '@tanstack/react-query'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { countingEvery } from '#areas/reports/index.ts'
import { retries } from '#records/reads.ts'

/** Entities behind the figures of stock. */
export const stockPaths: readonly string[] = [WarehouseDocument.path, DocumentLine.path, Batch.path, Stock.path]

/** A stock query, reloaded with its entities; the former result stays while loading. */
export const useStock = <T>(
  key: readonly unknown[],
  ask: (signal: AbortSignal) => Promise<T>,
  live: readonly string[] = stockPaths,
  /** See base/knownAnswers.ts. */
  known = false,
): UseQueryResult<T> =>
  useQuery({
    queryKey: ['warehouse', ...key],
    queryFn: ({ signal }) => ask(signal),
    retry: retries,
    refetchInterval: countingEvery,
    placeholderData: keepPreviousData,
    meta: { live: [...live], ...(known && { known }) },
  })
