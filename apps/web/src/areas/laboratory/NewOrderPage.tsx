import { Checkbox, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { LabOrder } from '@ordinator/model/areas/laboratory/order'
import { type Urgency, urgencies } from '@ordinator/model/areas/laboratory/words'
import { User } from '@ordinator/model/areas/staff/user'
import { counted } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconTestPipe } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useOwnFilial } from '#areas/filials/index.ts'
import { useAddress, useGo } from '#base/address.ts'
import { id } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import type { Search } from '#base/redirect.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { retries, useList, useRecord } from '#records/reads.ts'
import classes from './Laboratory.module.css'
import { Catalogue } from './newOrder/Catalogue.tsx'
import type { Chosen } from './newOrder/chosen.ts'
import { Summary } from './newOrder/Summary.tsx'

const page = pageByKey('newLabOrder')

/** Source of an order; `copy` is a former order with the tests to repeat. */
const readAddress = (search: Search) => ({
  customer: id(search.customer),
  visit: id(search.visit),
  lead: id(search.lead),
  plan: id(search.plan),
  examination: id(search.examination),
  doctor: id(search.doctor),
  filial: id(search.filial),
  copy: id(search.copy),
})

/** Новый заказ анализов: panels and tests, and the summary. */
export default function NewOrderPage() {
  const [from] = useAddress(readAddress)
  const go = useGo()
  const cache = useQueryClient()
  const [idCustomer, setCustomer] = useState<number | null>(from.customer ?? null)
  const [idFilial, setFilial] = useState<number | null>(from.filial ?? null)
  const [idDoctor, setDoctor] = useState<number | null>(from.doctor ?? null)
  const [urgency, setUrgency] = useState<Urgency>('routine')
  const [pregnancyWeeks, setWeeks] = useState<number | string | null>(null)
  const [cycleDay, setCycle] = useState<number | string | null>(null)
  const [fasting, setFasting] = useState(false)
  const [diagnosis, setDiagnosis] = useState('')
  const [comment, setComment] = useState('')
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  // Idempotency key: a double click creates one order.
  const key = useRef(crypto.randomUUID())
  const customer = useRecord(Customer, idCustomer ?? undefined, { fields: ['gender'] }, { forbidden: 'silent' })
  const filials = useList(Filial, { fields: ['nameFilial'], limit: 2, sort: 'id' }, { forbidden: 'silent' })
  const own = useOwnFilial(from.filial === undefined && from.copy === undefined)
  const only = filials.data?.items.length === 1 ? filials.data.items[0]?.id : own.id
  const search = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (idFilial === null && only !== undefined) setFilial(only)
  }, [idFilial, only])
  useCopied(from.copy, (former) => {
    setChosen(former.tests)
    setCustomer((now) => now ?? former.idCustomer)
    setFilial((now) => now ?? former.idFilial)
    setDoctor((now) => now ?? former.idDoctor)
  })
  const toggle = (test: Chosen) =>
    setChosen((now) =>
      now.some((one) => one.id === test.id) ? now.filter((one) => one.id !== test.id) : [...now, test],
    )
  const tests = chosen.map((one) => one.id)
  const quote = useQuery({
    queryKey: ['lab-quote', tests, idFilial, urgency],
    queryFn: ({ signal }) =>
      api('POST /laboratory/orders/quote', { body: { tests, idFilial: idFilial as number, urgency } }, { signal }),
    enabled: tests.length > 0 && idFilial !== null,
    retry: retries,
    placeholderData: (before) => before,
  })
  const place = useMutation({
    mutationFn: (draft: boolean) =>
      api(
        'POST /laboratory/orders/place',
        {
          body: {
            key: key.current,
            idCustomer: idCustomer as number,
            idFilial: idFilial as number,
            tests,
            draft,
            idDoctor,
            urgency,
            fasting,
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
      if (!(error instanceof ApiError && error.told)) notify.error(errorMessage(error), { title: 'Заказ не оформлен' })
    },
    onSuccess: async (order) => {
      await invalidateRecords(cache, LabOrder.path)
      notify.success(order.status === 'draft' ? 'Черновик сохранён' : `Заказ ${order.number} оформлен`)
      void go({ page: 'labOrder', params: { id: order.id } })
    },
  })
  const lacks =
    idCustomer === null
      ? 'Выберите пациента'
      : idFilial === null
        ? 'Выберите филиал'
        : tests.length === 0
          ? 'Выберите исследования'
          : undefined
  useHotkey('mod+enter', () => lacks === undefined && !place.isPending && place.mutate(false), {
    label: 'Оформить заказ',
    group: page.title,
  })
  const isFemale = customer.data?.gender !== 'male'
  return (
    <>
      <PageHead title={page.title} help={page.help} />
      <div className={classes.body}>
        <div className={classes.order}>
          <VStack gap={16} miw={0}>
            <section className={classes.panel} aria-label="Пациент и назначение">
              <div className={classes.two}>
                <RefSelect
                  to={Customer.path}
                  label="Пациент"
                  required
                  value={idCustomer}
                  onChange={(id) => {
                    setCustomer(id)
                    // The rest is known: the tests are next.
                    if (id !== null && idFilial !== null) search.current?.querySelector('input')?.focus()
                  }}
                  autoFocus={!from.customer}
                />
                <RefSelect to={Filial.path} label="Филиал" required value={idFilial} onChange={setFilial} />
                <RefSelect to={User.path} label="Назначил" clearable value={idDoctor} onChange={setDoctor} />
                <VStack gap={4}>
                  <span style={{ fontSize: 14, fontWeight: 500 }}>Срочность</span>
                  <SegmentedControl
                    aria-label="Срочность"
                    data={Object.entries(urgencies).map(([value, label]) => ({ value, label }))}
                    value={urgency}
                    onChange={(value) => setUrgency(value as Urgency)}
                  />
                </VStack>
                <TextInput
                  label="Диагноз МКБ-10"
                  placeholder="E11.9"
                  maxLength={8}
                  value={diagnosis}
                  onChange={(event) => setDiagnosis(event.currentTarget.value)}
                />
                {isFemale && (
                  <HStack gap={12} align="flex-end">
                    <NumberField label="Беременность, недель" value={pregnancyWeeks} onChange={setWeeks} />
                    <NumberField label="День цикла" value={cycleDay} onChange={setCycle} />
                  </HStack>
                )}
                <Checkbox
                  mt={28}
                  label="Взятие натощак"
                  checked={fasting}
                  onChange={(event) => setFasting(event.currentTarget.checked)}
                />
                <Textarea
                  label="Комментарий"
                  autosize
                  minRows={1}
                  maxLength={2000}
                  value={comment}
                  onChange={(event) => setComment(event.currentTarget.value)}
                />
              </div>
            </section>
            <div ref={search}>
              <Catalogue chosen={tests} onToggle={toggle} />
            </div>
          </VStack>
          <aside className={classes.summary} aria-label="Заказ">
            <h2 className={classes.panelTitle}>
              {counted(chosen.length, ['исследование', 'исследования', 'исследований'])}
            </h2>
            <Summary chosen={chosen} quote={quote} hasFilial={idFilial !== null} onRemove={toggle} />
            <VStack gap={8}>
              <ActionButton
                label={lacks ?? 'Оформить заказ'}
                icon={IconTestPipe}
                disabled={lacks !== undefined || quote.isError}
                loading={place.isPending}
                onClick={() => place.mutate(false)}
              />
              <ActionButton
                label="Сохранить черновиком"
                variant="default"
                disabled={lacks !== undefined || place.isPending}
                onClick={() => place.mutate(true)}
              />
              <Fine>Ctrl+Enter — оформить. Оплата — на странице заказа.</Fine>
            </VStack>
          </aside>
        </div>
      </div>
    </>
  )
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
