import { Autocomplete, Collapse, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { allowed } from '@ordinator/model/access'
import { OTHER_BRANCH } from '@ordinator/model/areas/discounts/conditions'
import { DiscountApproval } from '@ordinator/model/areas/discounts/discount'
import { moneyView } from '@ordinator/model/areas/money/desk'
import { PaymentLink } from '@ordinator/model/areas/money/link'
import { Payment } from '@ordinator/model/areas/money/payment'
import { depositStatuses } from '@ordinator/model/areas/visits/deposit'
import { Appointment, CouponService } from '@ordinator/model/areas/visits/visit'
import { formatMoney, formatNumber } from '@ordinator/model/format'
import { IconCash, IconChevronDown, IconDiscount } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { DebtMark, ShownLink, TakeDialog } from '#areas/money/index.ts'
import { type Answer, api } from '#base/api.ts'
import { records } from '#base/client.ts'
import { PageLink } from '#base/PageLink.tsx'
import { usePreference } from '#base/preferences.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { useHotkey } from '#kit/hotkeys.ts'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { submitOnEnter } from '#kit/submitOnEnter.ts'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useList, useRecord } from '#records/reads.ts'
import { readDaysAgain } from '../day.ts'
import { useScheduleRights } from '../rights.ts'
import classes from './VisitPanel.module.css'
import { WithdrawPromise } from './WithdrawPromise.tsx'

type Price = Answer<'GET /appointments/:id/price'>
type PricedLine = Price['lines'][number]

const KEY = 'appointments/price'

/** Price of a visit with reasons, live. */
export function usePrice(id: number) {
  const actor = useActor()
  return useQuery({
    queryKey: [KEY, id],
    queryFn: ({ signal }) => api('GET /appointments/:id/price', { params: { id } }, { signal, forbidden: 'silent' }),
    meta: { live: [Appointment.path, CouponService.path, ...(allowed(actor, moneyView) ? [Payment.path] : [])] },
  })
}

/** Who pays for the lines besides the patient; asked once the price is there. */
export const useCoverage = (id: number, enabled: boolean) =>
  useQuery({
    queryKey: [KEY, id, 'coverage'],
    queryFn: ({ signal }) => api('GET /appointments/:id/coverage', { params: { id } }, { signal, forbidden: 'silent' }),
    enabled,
    meta: { live: [Appointment.path, CouponService.path] },
  })

const round = (rubles: number): number => Math.round(rubles * 100) / 100

/** Price of a line, paid part, and reasons. */
export function LinePrice({ line, name }: { line: PricedLine | undefined; name: string }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  if (!line) return null
  const { base, discount, bonus, final, paid, promise, isPromised, applied } = line
  const refused = line.refused.filter(({ why }) => why !== OTHER_BRANCH)
  const due = round(final - bonus)
  const explained = promise !== null || applied.length > 0 || refused.length > 0 || bonus > 0
  return (
    <VStack gap={4}>
      <HStack wrap gap={8}>
        <Text span size="sm" c={paid >= due ? 'var(--mantine-color-success)' : 'dimmed'} className="tabular">
          {final === 0
            ? 'без оплаты'
            : due === 0
              ? 'оплачена бонусами'
              : paid >= due
                ? 'оплачена'
                : paid > 0
                  ? `оплачено ${formatMoney(paid)} из ${formatMoney(due)}`
                  : 'не оплачена'}
        </Text>
        {isPromised && (
          <Text span size="sm" c="dimmed" className="tabular">
            обещано {formatMoney(final)}
          </Text>
        )}
        {explained && (
          <ActionButton
            label="Почему такая цена"
            aria-label={`Почему такая цена: ${name}`}
            aria-expanded={open}
            aria-controls={id}
            icon={IconChevronDown}
            size="compact-xs"
            variant="subtle"
            onClick={() => setOpen(!open)}
          />
        )}
      </HStack>
      <Collapse expanded={open} id={id}>
        <VStack gap={2} component="ul" className={classes.why}>
          <HStack component="li" gap={8}>
            <span className={classes.service}>
              {promise ? 'Цена' : 'Цена по прайсу'}
              {promise && <Fine component="div">{promise}</Fine>}
            </span>
            <span className="tabular nowrap">{formatMoney(base)}</span>
          </HStack>
          {applied.map((one) => (
            <HStack component="li" key={`${one.idDiscount} ${one.why}`} gap={8} align="flex-start">
              <span className={classes.service}>
                {one.name}
                <Fine component="div">{one.why}</Fine>
              </span>
              <span className="tabular nowrap">−{formatMoney(one.amount)}</span>
            </HStack>
          ))}
          {discount > 0 && (
            <HStack component="li" gap={8} fw={600}>
              <span className={classes.service}>Итого</span>
              <span className="tabular nowrap">{formatMoney(final)}</span>
            </HStack>
          )}
          {bonus > 0 && (
            <HStack component="li" gap={8}>
              <span className={classes.service}>Бонусами</span>
              <span className="tabular nowrap">−{formatMoney(bonus)}</span>
            </HStack>
          )}
          {refused.map((one) => (
            <li key={one.idDiscount}>
              <Fine>
                {one.name}: {one.why.toLowerCase()}
              </Fine>
            </li>
          ))}
        </VStack>
      </Collapse>
    </VStack>
  )
}

interface Props {
  visit: {
    id: number
    idFilial: number
    customer: { id: number } | null
    filial?: { timeZone: string | null } | null
  }
  price: Price
  /** Completed: discounts can change while something is unpaid. */
  completed: boolean
}

/** Totals of a visit, payments, and actions. */
export function VisitMoney({ visit, price, completed }: Props) {
  const actor = useActor()
  const rights = useScheduleRights()
  const cache = useQueryClient()
  const [open, setOpen] = useState<'take' | 'discount' | 'promise'>()
  const mayTake = allowed(actor, 'takePayments') && visit.customer !== null
  const sum = (of: 'base' | 'discount' | 'bonus' | 'paid') =>
    round(price.lines.reduce((all, line) => all + line[of], 0))
  const left = round(price.lines.reduce((all, { final, bonus, paid }) => all + Math.max(0, final - bonus - paid), 0))
  const mayDiscount = rights.edit && (!completed || left > 0) && allowed(actor, 'viewDiscounts')
  const mayWithdraw =
    !completed && allowed(actor, 'editVisitPrices') && price.lines.some(({ isPromised }) => isPromised)
  useHotkey('d', () => setOpen('discount'), { label: 'Скидка', group: 'Запись', enabled: mayDiscount && !open })
  useHotkey('o', () => setOpen('take'), { label: 'Принять оплату', group: 'Запись', enabled: mayTake && !open })
  if (price.lines.length === 0) return null
  return (
    <section aria-label="Оплата">
      <HStack justify="space-between" wrap>
        <h2>Оплата</h2>
        {visit.customer && <DebtMark idCustomer={visit.customer.id} />}
      </HStack>
      <dl className={`${classes.facts} tabular`}>
        <dt>Стоимость</dt>
        <dd>{formatMoney(sum('base'))}</dd>
        {sum('discount') > 0 && (
          <>
            <dt>Скидки</dt>
            <dd>−{formatMoney(sum('discount'))}</dd>
          </>
        )}
        {sum('bonus') > 0 && (
          <>
            <dt>Бонусами</dt>
            <dd>−{formatMoney(sum('bonus'))}</dd>
          </>
        )}
        <dt>Оплачено</dt>
        <dd>{formatMoney(sum('paid'))}</dd>
        <dt>К оплате</dt>
        <dd>
          <strong>{formatMoney(left)}</strong>
        </dd>
      </dl>
      <Deposit idAppointment={visit.id} timeZone={visit.filial?.timeZone} mayTake={mayTake} />
      {(price.code || price.manual) && (
        <Muted component="p" mt={4}>
          {price.code && `Промокод ${price.code}`}
          {price.code && price.manual && ' · '}
          {price.manual &&
            `Вручную ${formatNumber(price.manual.value)} ${price.manual.unit === 'percent' ? '%' : '₽'}: ${price.manual.reason}`}
        </Muted>
      )}
      {allowed(actor, DiscountApproval.access.view) && <Asked idAppointment={visit.id} />}
      <HStack wrap gap={6} mt={8}>
        {mayTake && (
          <ActionButton
            label="Принять оплату"
            icon={IconCash}
            variant={left > 0 ? 'filled' : 'default'}
            onClick={() => setOpen('take')}
          />
        )}
        {mayDiscount && (
          <ActionButton label="Скидка…" icon={IconDiscount} variant="default" onClick={() => setOpen('discount')} />
        )}
        {mayWithdraw && (
          <ActionButton label="Отозвать обещанную цену…" reverse variant="default" onClick={() => setOpen('promise')} />
        )}
        {visit.customer && allowed(actor, moneyView) && (
          <PageLink page="customer" search={{ id: visit.customer.id, tab: 'account' }}>
            Счёт клиента
          </PageLink>
        )}
      </HStack>
      {open === 'take' && visit.customer && (
        <TakeDialog idCustomer={visit.customer.id} visit={visit} onClose={() => setOpen(undefined)} />
      )}
      {open === 'discount' && <DiscountDialog id={visit.id} price={price} onClose={() => setOpen(undefined)} />}
      {open === 'promise' && (
        <WithdrawPromise
          id={visit.id}
          promised={[...new Set(price.lines.flatMap((one) => (one.isPromised && one.promise ? [one.promise] : [])))]}
          onDone={(now) => cache.setQueryData([KEY, visit.id], now)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  )
}

/** Deposit required by the visit's services: deadline and link. */
function Deposit({
  idAppointment,
  timeZone,
  mayTake,
}: {
  idAppointment: number
  /** Time zone of the branch, for the deadline. */
  timeZone: string | null | undefined
  mayTake: boolean
}) {
  const [open, setOpen] = useState(false)
  const { data } = useQuery({
    queryKey: ['appointments/deposit', idAppointment],
    queryFn: ({ signal }) =>
      api(
        'GET /appointments/:id/deposit',
        { params: { id: idAppointment } },
        { signal, quiet: true, forbidden: 'silent' },
      ),
    meta: { live: [Appointment.path, PaymentLink.path] },
  })
  const deposit = data?.deposit
  if (!deposit || deposit.status === 'dropped') return null
  const { sum, status, dateTo, link } = deposit
  return (
    <HStack wrap gap={8} mt={4} role="status">
      <Text span size="sm" c={status === 'waiting' ? 'var(--mantine-color-error)' : undefined}>
        {depositStatuses[status]}: {formatMoney(sum)}
        {status === 'waiting' && ` до ${formatDateTime(dateTo, timeZone)}, иначе запись освободится`}
      </Text>
      {status === 'waiting' && link && mayTake && (
        <ActionButton label="Ссылка и QR" size="compact-sm" variant="default" onClick={() => setOpen(true)} />
      )}
      {open && link && <ShownLink made={link} onClose={() => setOpen(false)} />}
    </HStack>
  )
}

const limitWords = (limit: number | null): string =>
  limit ? `До ${formatNumber(limit)} % — сами, больше — с согласованием` : 'С согласованием другого сотрудника'

/** The last reason is the default. */
const readReason = (stored: unknown): { reason: string } => {
  const { reason } = (stored ?? {}) as { reason?: unknown }
  return { reason: typeof reason === 'string' ? reason.slice(0, 400) : '' }
}

const units = { percent: '%', rubles: '₽' } as const

/** Discount dialog of a visit whose price is not loaded yet. */
export function VisitDiscount({ id, onClose }: { id: number; onClose: () => void }) {
  const price = usePrice(id)
  return price.data ? <DiscountDialog id={id} price={price.data} onClose={onClose} /> : null
}

function DiscountDialog({ id, price, onClose }: { id: number; price: Price; onClose: () => void }) {
  const cache = useQueryClient()
  const visit = useRecord(Appointment, id, { expand: ['customer'], fields: ['customer.fio'] }, { forbidden: 'silent' })
  const whose = visit.data?.customer?.fio
  const [usual, keepUsual] = usePreference('discount-reason', readReason, 'device')
  const [code, setCode] = useState(price.code ?? '')
  const [unit, setUnit] = useState<keyof typeof units>(price.manual?.unit ?? 'percent')
  const [value, setValue] = useState<number | string | null>(price.manual?.value ?? null)
  const [reason, setReason] = useState(price.manual?.reason ?? usual.reason)
  const base = price.lines.reduce((all, line) => all + line.base, 0)
  const manual = typeof value === 'number' && value > 0 ? { unit, value, reason } : null
  const same = JSON.stringify(manual) === JSON.stringify(price.manual)
  const percent = manual === null ? 0 : unit === 'percent' ? manual.value : base > 0 ? (manual.value / base) * 100 : 0
  // Above the user's own limit an approval is requested.
  const asks = !same && percent > (price.limit ?? 0)
  const tried = useTriedPrice(id, { code: code.trim() || null, manual: asks ? undefined : manual })
  const before = round(price.lines.reduce((all, line) => all + line.final, 0))
  const after =
    asks && manual ? Math.max(0, base - (unit === 'percent' ? (base * manual.value) / 100 : manual.value)) : tried
  return (
    <ActionDialog
      title={whose ? `Скидка: ${whose}` : 'Скидка'}
      action={asks ? 'Попросить согласование' : 'Применить'}
      onClose={onClose}
      faults={{
        'manual.value': typeof value === 'string' && value !== '' && 'Укажите размер скидки',
        'manual.reason': manual !== null && reason.trim() === '' && 'Укажите основание',
      }}
      run={async () => {
        const now = await api('POST /appointments/:id/discounts', {
          params: { id },
          body: { code: code.trim() || null, ...(!same && !asks && { manual }) },
        })
        cache.setQueryData([KEY, id], now)
        if (manual) keepUsual({ reason: reason.trim() })
        if (asks && manual)
          await records.create(DiscountApproval, {
            ...{ idAppointment: id, unit, value: manual.value, reason: reason.trim() },
            amount: Math.max(0.01, round(unit === 'percent' ? (base * manual.value) / 100 : manual.value)),
          })
        await Promise.all([
          invalidateRecords(cache, Appointment.path),
          invalidateRecords(cache, DiscountApproval.path),
          readDaysAgain(cache),
        ])
        const off = now.lines.reduce((all, line) => all + line.discount, 0)
        notify.success(
          asks
            ? 'Запрос отправлен: скидка встанет сама, как только её согласуют'
            : off > 0
              ? `Скидка ${formatMoney(round(off))}`
              : 'Скидок нет',
        )
      }}
    >
      {(errorOf) => (
        <>
          <HStack align="flex-end" gap={8}>
            <NumberField
              label="Скидка вручную"
              digits={2}
              value={value}
              error={errorOf('manual.value') ?? errorOf('manual')}
              onChange={setValue}
            />
            <SegmentedControl
              aria-label="В чём скидка"
              data={Object.entries(units).map(([one, label]) => ({ value: one, label }))}
              value={unit}
              onChange={(one) => setUnit(one as keyof typeof units)}
            />
          </HStack>
          <Fine>{limitWords(price.limit)}</Fine>
          <Autocomplete
            label="Основание"
            placeholder="Выберите или впишите"
            required={manual !== null}
            maxLength={400}
            data={[...new Set([usual.reason, ...usualReasons].filter(Boolean))]}
            value={reason}
            error={errorOf('manual.reason')}
            onChange={setReason}
            onKeyDown={submitOnEnter}
          />
          <TextInput
            label="Промокод"
            autoComplete="off"
            maxLength={64}
            value={code}
            error={errorOf('code')}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <Text size="sm" className="tabular" aria-live="polite">
            {after === undefined || after === before
              ? `К оплате ${formatMoney(before)}`
              : `Было ${formatMoney(before)}, станет ${formatMoney(round(after))}`}
          </Text>
          {asks && <Fine role="status">Больше вашего предела: запрос уйдёт тем, кто согласует скидки.</Fine>}
        </>
      )}
    </ActionDialog>
  )
}

/** Usual grounds of a discount by hand; the person's last one stands before them. */
const usualReasons = ['Постоянный пациент', 'Пенсионер', 'Сотрудник или родственник', 'Извинение за ожидание', 'Акция']

/** Milliseconds without typing before a price is asked for. */
const TRY_MS = 300

/** Price of the visit with the discounts being typed; undefined: not known, or refused. */
function useTriedPrice(
  id: number,
  {
    code,
    manual,
  }: { code: string | null; manual: { unit: keyof typeof units; value: number; reason: string } | null | undefined },
): number | undefined {
  const [asked] = useDebouncedValue(
    { code, ...(manual !== undefined && { manual: manual && { ...manual, reason: manual.reason.trim() || '—' } }) },
    TRY_MS,
  )
  const { data } = useQuery({
    queryKey: [KEY, id, 'try', asked],
    queryFn: ({ signal }) =>
      api(
        'POST /appointments/:id/discounts',
        { params: { id }, body: { ...asked, dryRun: true } },
        { signal, quiet: true, forbidden: 'silent' },
      ),
    retry: false,
    meta: { tells: true },
  })
  return data?.lines.reduce((all, line) => all + line.final, 0)
}

/** Approval requests of the visit, pending or refused. */
function Asked({ idAppointment }: { idAppointment: number }) {
  const { data } = useList(
    DiscountApproval,
    { filter: { idAppointment, status: { in: ['asked', 'declined'] } }, expand: ['approver'], sort: '-id', limit: 3 },
    { forbidden: 'silent' },
  )
  return data?.items.map(({ id, unit, value, amount, status, answer, approver }) => {
    const size = unit === 'percent' && value !== null ? `${formatNumber(value)} %` : formatMoney(amount)
    return (
      <Muted component="p" key={id} mt={4} role="status">
        {status === 'asked'
          ? `Скидка ${size} ждёт согласования`
          : `В скидке ${size} отказано${approver ? `, ${approver.shortFio}` : ''}${answer ? `: ${answer}` : ''}`}
      </Muted>
    )
  })
}
