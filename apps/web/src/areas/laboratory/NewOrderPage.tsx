import { Checkbox, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { LabTest } from '@ordinator/model/areas/laboratory/catalogue'
import { LabOrder } from '@ordinator/model/areas/laboratory/order'
import { biomaterials, sections, type Urgency, urgencies } from '@ordinator/model/areas/laboratory/words'
import { User } from '@ordinator/model/areas/staff/user'
import type { Expanded } from '@ordinator/model/client'
import { counted, formatMoney } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconTestPipe, IconX } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useOwnFilial } from '#areas/filials/index.ts'
import { useAddress, useGo } from '#base/address.ts'
import { id } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import type { Search } from '#base/redirect.ts'
import { WayTo } from '#base/WayTo.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { SearchField } from '#kit/SearchField.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { asRows, retries, useList, useRecord } from '#records/reads.ts'
import classes from './Laboratory.module.css'
import { TubeCap } from './words.tsx'

const page = pageByKey('newLabOrder')
const MAX_FOUND = 60
const SEARCH_MS = 200

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

type Test = Expanded<typeof LabTest, 'laboratory'>
interface Chosen {
  id: number
  name: string
}

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

type QuoteAnswer = Awaited<ReturnType<typeof askQuote>>
const askQuote = () => api('POST /laboratory/orders/quote', { body: { tests: [], idFilial: 0 } })

function Summary({
  chosen,
  quote,
  hasFilial,
  onRemove,
}: {
  chosen: readonly Chosen[]
  quote: {
    data?: QuoteAnswer | undefined
    isError: boolean
    error: unknown
    isFetching: boolean
    refetch: () => unknown
  }
  hasFilial: boolean
  onRemove: (one: Chosen) => void
}) {
  const { data } = quote
  if (chosen.length === 0)
    return <Muted>Выберите панели и исследования: здесь будет цена, срок, подготовка и пробирки.</Muted>
  if (!hasFilial) return <Muted>Выберите филиал: от него зависят цены и сроки.</Muted>
  if (quote.isError)
    return <ErrorState title="Заказ не рассчитан" error={quote.error} onRetry={() => void quote.refetch()} />
  const lineOf = new Map(data?.lines.map((line) => [line.idTest, line]))
  return (
    <>
      <div className={classes.chosen} aria-busy={quote.isFetching}>
        {chosen.map((one) => {
          const line = lineOf.get(one.id)
          return (
            <div key={one.id} className={classes.line} data-within={line?.within || undefined}>
              <span className={classes.name}>
                {one.name}
                <Fine component="div">
                  {line?.within
                    ? `входит в «${line.within}»`
                    : line && `${line.laboratory} · к ${formatDateTime(line.dueAt)}`}
                </Fine>
              </span>
              <span className="tabular nowrap">
                {!line ? '…' : line.within ? '—' : line.price === null ? 'нет цены' : formatMoney(line.price)}
              </span>
              <IconButton label={`Убрать: ${one.name}`} icon={IconX} size={26} onClick={() => onRemove(one)} />
            </div>
          )
        })}
      </div>
      {data && (
        <>
          <div className={classes.total}>
            <span>Итого</span>
            <strong>{formatMoney(data.total)}</strong>
          </div>
          <div>
            Готовность: <b>{formatDateTime(data.dueAt)}</b>
          </div>
          {data.preparation.map(({ text, tests }) => (
            <div key={text} className={classes.prep}>
              {text}
              <Fine component="div">{tests.join(', ')}</Fine>
            </div>
          ))}
          <ol className={classes.tubes} aria-label="Пробирки в порядке взятия">
            {data.tubes.map((tube) => (
              <li
                key={`${tube.laboratory}${tube.container}${tube.tests.join()}`}
                className={classes.tubeChip}
                title={`${biomaterials[tube.biomaterial]}: ${tube.tests.join(', ')}`}
              >
                <TubeCap cap={tube.cap} name={tube.container ?? biomaterials[tube.biomaterial]} />
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  )
}

/** Nothing to choose from; an empty catalogue leads to its page. */
function NoTests({ searched }: { searched: boolean }) {
  const any = useList(LabTest, { filter: { active: true }, fields: ['name'], limit: 1 })
  if (any.data?.items.length === 0)
    return (
      <EmptyState
        title="Каталог исследований пуст"
        text="Заказывать пока нечего: добавьте исследования или загрузите их из файла."
        action={<WayTo page="labCatalog" label="К каталогу" />}
      />
    )
  return (
    <Muted>
      {searched
        ? 'Ничего не найдено: попробуйте часть названия или код.'
        : 'Панелей нет: найдите исследование по названию.'}
    </Muted>
  )
}

function Catalogue({ chosen, onToggle }: { chosen: readonly number[]; onToggle: (test: Chosen) => void }) {
  const [typed, setTyped] = useState('')
  const [text, setText] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setText(typed.trim()), SEARCH_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const list = useList(LabTest, {
    filter: {
      active: true,
      ...(text
        ? { or: [{ name: { ilike: text } }, { code: { ilike: text } }, { medicalCode: { ilike: text } }] }
        : { isPanel: true }),
    },
    fields: ['name', 'code', 'section', 'isPanel', 'price', 'termDays'],
    expand: ['laboratory'],
    sort: 'name',
    limit: MAX_FOUND,
  })
  const items = asRows<Test>(list.data?.items)
  const picked = useMemo(() => new Set(chosen), [chosen])
  const single = items.filter(({ isPanel }) => !isPanel)
  const panels = items.filter(({ isPanel }) => isPanel)
  const first = items[0]
  return (
    <section className={classes.panel} aria-label="Исследования">
      <VStack gap={12}>
        <SearchField
          aria-label="Поиск исследования"
          placeholder="Название, код, 804н"
          value={typed}
          onChange={setTyped}
          onKeyUp={(event) => {
            if (event.key !== 'Enter' || !first || !text) return
            onToggle({ id: first.id, name: first.name })
            setTyped('')
          }}
        />
        {list.isPending ? (
          <LinesSkeleton lines={6} />
        ) : list.isError ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : items.length === 0 ? (
          <NoTests searched={text !== ''} />
        ) : (
          <>
            {panels.length > 0 && <Choices title="Панели" tests={panels} picked={picked} onToggle={onToggle} />}
            {[...Map.groupBy(single, ({ section }) => section)].map(([section, tests]) => (
              <Choices key={section} title={sections[section]} tests={tests} picked={picked} onToggle={onToggle} />
            ))}
          </>
        )}
      </VStack>
    </section>
  )
}

function Choices({
  title,
  tests,
  picked,
  onToggle,
}: {
  title: string
  tests: readonly Test[]
  picked: ReadonlySet<number>
  onToggle: (test: Chosen) => void
}) {
  return (
    <VStack gap={6}>
      <Fine>{title}</Fine>
      <div className={classes.panels}>
        {tests.map(({ id: idTest, name, price, laboratory }) => (
          <button
            key={idTest}
            type="button"
            className={classes.choice}
            aria-pressed={picked.has(idTest)}
            onClick={() => onToggle({ id: idTest, name })}
          >
            <span>
              {name}
              {laboratory?.kind === 'partner' && <Fine component="div">{laboratory.name}</Fine>}
            </span>
            <span>{price === null ? '' : formatMoney(price)}</span>
          </button>
        ))}
      </div>
    </VStack>
  )
}
