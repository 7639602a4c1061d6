import { Filial } from '@ordinator/model/areas/filials/filial'
import { LabOrder } from '@ordinator/model/areas/laboratory/order'
import type { Urgency } from '@ordinator/model/areas/laboratory/words'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useOwnFilial } from '#areas/filials/index.ts'
import { useGo } from '#base/address.ts'
import { id } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import type { Search } from '#base/redirect.ts'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useLastChoice } from '#records/lastChoice.ts'
import { retries, useList, useRecord } from '#records/reads.ts'
import type { Chosen } from './chosen.ts'

/** Source of an order; `copy` is a former order with the tests to repeat. */
export const readAddress = (search: Search) => ({
  customer: id(search.customer),
  visit: id(search.visit),
  lead: id(search.lead),
  plan: id(search.plan),
  examination: id(search.examination),
  doctor: id(search.doctor),
  filial: id(search.filial),
  copy: id(search.copy),
})

export interface OrderDraft {
  idCustomer: number | null
  idFilial: number | null
  idDoctor: number | null
  urgency: Urgency
  pregnancyWeeks: number | string | null
  cycleDay: number | string | null
  menopause: boolean
  fasting: boolean
  diagnosis: string
  comment: string
}

/** An order that is being written: its draft, chosen tests, their price, and the call that places it. */
export function useNewOrder(from: ReturnType<typeof readAddress>) {
  const go = useGo()
  const cache = useQueryClient()
  const [draft, setDraft] = useState<OrderDraft>({
    idCustomer: from.customer ?? null,
    idFilial: from.filial ?? null,
    idDoctor: from.doctor ?? null,
    urgency: 'routine',
    pregnancyWeeks: null,
    cycleDay: null,
    menopause: false,
    fasting: false,
    diagnosis: '',
    comment: '',
  })
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  // Idempotency key: a double click creates one order.
  const key = useRef(crypto.randomUUID())
  const set = (patch: Partial<OrderDraft>) => setDraft((now) => ({ ...now, ...patch }))
  const { idCustomer, idFilial, urgency, pregnancyWeeks, cycleDay, diagnosis, comment } = draft

  const filials = useList(Filial, { fields: ['nameFilial'], limit: 2, sort: 'id' }, { forbidden: 'silent' })
  const own = useOwnFilial(from.filial === undefined && from.copy === undefined)
  const last = useLastChoice(Filial.path)
  const only =
    filials.data?.items.length === 1 ? filials.data.items[0]?.id : own.isPending ? undefined : (own.id ?? last.id)
  useEffect(() => {
    if (idFilial === null && only !== undefined) setDraft((now) => ({ ...now, idFilial: only }))
  }, [idFilial, only])
  useCopied(from.copy, (former) => {
    setChosen(former.tests)
    setDraft((now) => ({
      ...now,
      idCustomer: now.idCustomer ?? former.idCustomer,
      idFilial: now.idFilial ?? former.idFilial,
      idDoctor: now.idDoctor ?? former.idDoctor,
    }))
  })

  const tests = chosen.map((one) => one.id)
  const quote = useQuery({
    queryKey: ['lab-quote', tests, idFilial, urgency, idCustomer, draft.idDoctor],
    queryFn: ({ signal }) => {
      const body = { tests, idFilial: idFilial as number, urgency, idCustomer, idDoctor: draft.idDoctor }
      return api('POST /laboratory/orders/quote', { body }, { signal })
    },
    enabled: tests.length > 0 && idFilial !== null,
    retry: retries,
    placeholderData: (before) => before,
  })
  const place = useMutation({
    mutationFn: (isDraft: boolean) =>
      api(
        'POST /laboratory/orders/place',
        {
          body: {
            key: key.current,
            ...draft,
            idCustomer: idCustomer as number,
            idFilial: idFilial as number,
            tests,
            draft: isDraft,
            pregnancyWeeks: typeof pregnancyWeeks === 'number' ? pregnancyWeeks : null,
            cycleDay: typeof cycleDay === 'number' ? cycleDay : null,
            diagnosis: diagnosis || null,
            comment: comment || null,
            idAppointment: from.visit ?? null,
            idLead: from.lead ?? null,
            idPlan: from.plan ?? null,
            idExamination: from.examination ?? null,
            idFormer: from.copy ?? null,
          },
        },
        { forbidden: 'toast' },
      ),
    onError: (error) => {
      if (!(error instanceof ApiError && error.isShown))
        notify.error(errorMessage(error), { title: 'Заказ не оформлен' })
    },
    onSuccess: async (order) => {
      await invalidateRecords(cache, LabOrder.path)
      notify.success(order.status === 'draft' ? 'Черновик сохранён' : `Заказ ${order.number} оформлен`)
      void go({ page: 'labOrder', params: { id: order.id } })
    },
  })
  return {
    ...{ draft, set, chosen, tests, quote, place },
    toggle: (test: Chosen) =>
      setChosen((now) =>
        now.some((one) => one.id === test.id) ? now.filter((one) => one.id !== test.id) : [...now, test],
      ),
    lacks: lacksOf(idCustomer, idFilial, tests.length),
  }
}

/** What is missing to place the order, in words of the button. */
function lacksOf(idCustomer: number | null, idFilial: number | null, tests: number): string | undefined {
  if (idCustomer === null) return 'Выберите пациента'
  if (idFilial === null) return 'Выберите филиал'
  return tests === 0 ? 'Выберите исследования' : undefined
}

/** Tests of a former order, once loaded. */
function useCopied(
  former: number | undefined,
  take: (former: { tests: Chosen[]; idCustomer: number; idFilial: number; idDoctor: number | null }) => void,
): void {
  const order = useRecord(LabOrder, former, {}, { forbidden: 'silent' })
  const lines = useQuery({
    queryKey: ['lab-copy', former],
    queryFn: ({ signal }) => api('GET /laboratory/orders/:id/lines', { params: { id: former as number } }, { signal }),
    enabled: former !== undefined,
  })
  const taken = useRef(false)
  useEffect(() => {
    if (taken.current || !order.data || !lines.data) return
    taken.current = true
    const { idCustomer, idFilial, idDoctor } = order.data
    take({ tests: lines.data.chosen, idCustomer, idFilial, idDoctor })
  }, [order.data, lines.data, take])
}
