import { allowed } from '@ordinator/model/access'
import { moneyView } from '@ordinator/model/areas/money/access'
import { FiscalTask } from '@ordinator/model/areas/money/fiscal'
import { Payment } from '@ordinator/model/areas/money/payment'
import { CouponService, visitAccess } from '@ordinator/model/areas/visits/visit'
import type { Filter } from '@ordinator/model/client'
import type { QueryClient } from '@tanstack/react-query'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { storage } from '#kit/root.ts'

const LINES = 50
const BONUS_LINES = 10

/** Debt and advance of a customer; undefined without the right. */
export function useBalance(idCustomer: number | null | undefined) {
  const actor = useActor()
  const isAllowed = allowed(actor, moneyView)
  return useQuery({
    queryKey: ['records', Payment.path, 'balance', idCustomer],
    queryFn: ({ signal }) =>
      api(
        'GET /customers/:id/account',
        { params: { id: idCustomer as number }, query: { limit: 0 } },
        { signal, forbidden: 'silent' },
      ),
    enabled: isAllowed && idCustomer != null,
    // Provided services are charged.
    meta: { live: allowed(actor, visitAccess.view) ? [CouponService.path] : [] },
  })
}

/** Unpaid services of a customer and all of a visit, and the part that the advance will cover. */
export function useUnpaid(idCustomer: number | null, idAppointment?: number) {
  const actor = useActor()
  return useQuery({
    queryKey: ['records', Payment.path, 'unpaid', idCustomer, idAppointment],
    queryFn: ({ signal }) =>
      api(
        'GET /customers/:id/unpaid',
        { params: { id: idCustomer as number }, query: { idAppointment } },
        { signal, forbidden: 'silent' },
      ),
    enabled: idCustomer !== null,
    meta: { live: allowed(actor, visitAccess.view) ? [CouponService.path] : [] },
  })
}

/** Ledger entries of the account, the newest first. */
export const useAccount = (idCustomer: number) =>
  useInfiniteQuery({
    queryKey: ['records', Payment.path, 'account', idCustomer],
    queryFn: ({ signal, pageParam }) =>
      api(
        'GET /customers/:id/account',
        { params: { id: idCustomer }, query: { limit: LINES, ...(pageParam && { before: pageParam }) } },
        { signal, forbidden: 'silent' },
      ),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
  })

/** Bonuses of a customer; with services, the maximum they may pay. */
export const useBonuses = (idCustomer: number | null, lines: readonly number[] = []) =>
  useQuery({
    queryKey: ['records', Payment.path, 'bonuses', idCustomer, lines],
    queryFn: ({ signal }) =>
      api(
        'GET /customers/:id/bonuses',
        {
          params: { id: idCustomer as number },
          query: { limit: 0, ...(lines.length > 0 && { lines: lines.join(',') }) },
        },
        { signal, forbidden: 'silent' },
      ),
    enabled: idCustomer !== null,
    placeholderData: (before) => before,
  })

/** History of bonuses, the newest first. */
export const useBonusMoves = (idCustomer: number) =>
  useInfiniteQuery({
    queryKey: ['records', Payment.path, 'bonuses moves', idCustomer],
    queryFn: ({ signal, pageParam }) =>
      api(
        'GET /customers/:id/bonuses',
        { params: { id: idCustomer }, query: { limit: BONUS_LINES, ...(pageParam && { before: pageParam }) } },
        { signal, forbidden: 'silent' },
      ),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
  })

/** Current state of the desk; updated with each receipt. */
export const useDeskState = (idDesk: number | undefined) =>
  useQuery({
    queryKey: ['records', FiscalTask.path, 'desk', idDesk],
    queryFn: ({ signal }) =>
      api('GET /cash-desks/:id/state', { params: { id: idDesk as number } }, { signal, forbidden: 'silent' }),
    enabled: idDesk !== undefined,
    meta: { known: true },
  })

/** Invalidates everything that depends on money. */
export const readMoney = (cache: QueryClient) =>
  cache.invalidateQueries({
    predicate: ({ queryKey: [first, path] }) =>
      first === 'records' &&
      [Payment.path, FiscalTask.path, 'cash-shifts', 'guarantee-letters', 'certificates'].includes(path as string),
  })

/** Idempotency key of an operation: constant until it is done, so that a retry is not executed twice. */
export function useOperationKey(): [key: string, renew: () => void] {
  const [key, setKey] = useState(newKey)
  return [key, () => setKey(newKey())]
}

function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const DESK = 'cash-desk'
/** Desk of this browser. */
export const lastDesk = (): number | undefined => Number(storage.getItem(DESK)) || undefined
export const rememberDesk = (id: number): void => storage.setItem(DESK, String(id))

/** Receipts of a payment rejected by the register, to be fixed by an employee. */
export const notPrinted = (idPayment: number): Filter<typeof FiscalTask> => ({
  idPayment,
  status: { in: ['failed', 'conflict', 'notConnected'] },
})
