import { Checkbox, SegmentedControl, Select, Text, TextInput } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import type { UnpaidLine } from '@ordinator/model/areas/money/calls'
import { type PaymentMethod, paymentMethods } from '@ordinator/model/areas/money/methods'
import { GuaranteeLetter } from '@ordinator/model/areas/money/payment'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import { formatDay, formatMoney, formatNumber } from '@ordinator/model/format'
import { IconGift, IconPlus, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { api } from '#base/api.ts'
import { ApiError } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { useList } from '#records/reads.ts'
import { CertificateNumber, useCertificate } from '../certificates/CertificateNumber.tsx'
import { keepDesk, readMoney, useBalance, useBonuses, useOperationKey, useUnpaid } from '../reads.ts'
import { DeskSelect, useDesks } from './DeskSelect.tsx'
import { HandOffDialog, handedOff } from './HandOffDialog.tsx'
import { tellPaid } from './PaidToast.tsx'

interface Props {
  /** Preselected. */
  idDesk?: number
  idCustomer?: number
  /** Visit whose services are paid, also in advance. */
  visit?: { id: number; idFilial: number }
  /** Branch of the desk, if there is no visit yet. */
  idFilial?: number
  /** Purpose of the payment, as text. */
  about?: string
  onClose: () => void
}

interface Part {
  method: PaymentMethod
  sum: number | string | null
  idGuarantee?: number
  certificate?: string
}

/** Maximum methods of one payment. */
const MOST_PARTS = 4

/** Selected by Alt and their number; other methods only in a split payment. */
const usual = ['cash', 'card', 'sbp', 'transfer'] as const

const restOf = ({ due, paid }: UnpaidLine): number => kopecks(due) - kopecks(paid)
const restsOf = (lines: readonly UnpaidLine[]): number => lines.reduce((sum, line) => sum + restOf(line), 0)

/** Kopecks to take: chosen services minus the advance, plus debts without a service. */
function askedFor(one: {
  debt: number
  free: number
  lines: readonly UnpaidLine[]
  chosen: readonly UnpaidLine[]
}): number {
  const given = (lines: readonly UnpaidLine[]) => restsOf(lines.filter(({ charged }) => charged))
  const ahead = restsOf(one.chosen.filter(({ charged }) => !charged))
  const others = Math.max(0, one.debt - given(one.lines))
  return given(one.chosen) + others + Math.max(0, ahead - one.free)
}

/** Lines of a payment; empty if it is for all provided services, the oldest first. */
function linesOf(lines: readonly UnpaidLine[], chosen: readonly UnpaidLine[], total: number) {
  if (chosen.length === lines.length && chosen.every(({ charged }) => charged)) return {}
  let left = total
  const parts = chosen
    .toSorted((a, b) => Number(b.charged) - Number(a.charged))
    .flatMap((line) => {
      const sum = Math.min(left, restOf(line))
      left -= sum
      return sum > 0 ? [{ idCouponService: line.id, sum: rubles(sum) }] : []
    })
  return { lines: parts }
}

/** Takes a payment: the debt is preset, Alt+2 selects the card, Alt+0 adds a method, Enter submits. */
export function TakeDialog(props: Props) {
  const cache = useQueryClient()
  const [key, renew] = useOperationKey()
  const [idCustomer, setCustomer] = useState<number | null>(props.idCustomer ?? null)
  const [idPayer, setPayer] = useState<number | null>(null)
  const [isOthers, setOthers] = useState(false)
  const [parts, setParts] = useState<Part[]>([{ method: 'cash', sum: null }])
  const [received, setReceived] = useState<number | string | null>(null)
  const [contact, setContact] = useState('')
  const { desk, desks, setDesk } = useDesks(props.idDesk, props.visit?.idFilial ?? props.idFilial)
  const balance = useBalance(idCustomer)
  const unpaid = useUnpaid(idCustomer, props.visit?.id)
  const [skipped, setSkipped] = useState<readonly number[]>([])
  const letters = useList(
    GuaranteeLetter,
    { filter: { idCustomer: idCustomer ?? 0, status: 'active' }, expand: ['insurer'] },
    { enabled: idCustomer !== null, forbidden: 'silent' },
  )
  const certificate = useCertificate(parts.find(({ method }) => method === 'certificate')?.certificate ?? '')
  const debt = balance.data?.debt ?? 0
  const { lines = [], free = 0 } = unpaid.data ?? {}
  const chosen = lines.filter(({ id }) => !skipped.includes(id))
  const [handOff, setHandOff] = useState<{ idPayment: number; sum: number }>()
  const [bonus, setBonus] = useState<number | string | null>(null)
  const bonuses = useBonuses(
    lines.length > 0 ? idCustomer : null,
    chosen.map(({ id }) => id),
  )
  const byBonuses = typeof bonus === 'number' && bonus > 0 ? kopecks(bonus) : 0
  const asked = rubles(Math.max(0, askedFor({ debt: kopecks(debt), free: kopecks(free), lines, chosen }) - byBonuses))
  // Default sum is the debt: a certificate pays up to its balance, another method the rest.
  const byCertificate = certificate ? Math.min(asked, certificate.rest) : 0
  const isOpen = (part: Part) => part.sum === null && part.method !== 'certificate'
  const sumOf = (part: Part) => {
    if (part.sum !== null) return part.sum
    if (part.method === 'certificate') return byCertificate > 0 ? byCertificate : null
    // The only method without a typed sum gets the rest.
    if (parts.filter(isOpen).length > 1) return null
    const others = parts.reduce((all, one) => {
      if (one === part) return all
      const sum = one.sum ?? (one.method === 'certificate' ? byCertificate : 0)
      return all + (typeof sum === 'number' ? kopecks(sum) : 0)
    }, 0)
    const left = rubles(kopecks(asked) - others)
    return left > 0 ? left : null
  }
  const filled = parts.map((part) => ({ ...part, sum: sumOf(part) }))
  // Bonuses may pay everything.
  const isByBonuses = byBonuses > 0 && asked === 0 && filled.every(({ sum }) => sum === null)
  const paying = isByBonuses ? [] : filled
  const total = filled.reduce((all, { sum }) => all + (typeof sum === 'number' ? kopecks(sum) : 0), 0)
  const cash = filled.find(({ method }) => method === 'cash')
  const change =
    typeof received === 'number' && typeof cash?.sum === 'number' ? kopecks(received) - kopecks(cash.sum) : undefined
  const set = (at: number, patch: Partial<Part>) =>
    setParts(parts.map((part, index) => (index === at ? { ...part, ...patch } : part)))
  /** Adds a method with the rest. */
  const more = () =>
    setParts([
      ...(certificate ? parts : filled),
      { method: usual.find((one) => !filled.some(({ method }) => method === one)) ?? 'transfer', sum: null },
    ])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey && event.code === 'Digit0' && parts.length < MOST_PARTS) {
      event.preventDefault()
      return more()
    }
    const method = event.altKey && /^Digit[1-4]$/.test(event.code) ? usual[Number(event.code.at(-1)) - 1] : undefined
    if (!method) return
    event.preventDefault()
    set(parts.length - 1, { method })
  }
  const faults = {
    idCustomer: idCustomer === null && 'Выберите клиента',
    ...Object.fromEntries(
      paying.flatMap(({ sum, method, idGuarantee, certificate: number = '' }, at) => [
        [`parts.${at}.sum`, typeof sum !== 'number' && 'Укажите сумму'],
        [`parts.${at}.certificate`, method === 'certificate' && !number.trim() && 'Укажите номер сертификата'],
        [`parts.${at}.idGuarantee`, method === 'insurer' && !idGuarantee && 'Выберите гарантийное письмо'],
      ]),
    ),
    idPayer: isOthers && idPayer === null && 'Выберите, кто платит',
    bonus: typeof bonus === 'string' && bonus !== '' && 'Укажите, сколько бонусов',
  }
  const run = async () => {
    if (!desk) return false
    keepDesk(desk.id)
    try {
      const payment = await api(
        'POST /payments/take',
        {
          body: {
            key,
            idDesk: desk.id,
            idCustomer: idCustomer as number,
            ...(isOthers && { idPayer }),
            parts: paying.map(({ method, sum, idGuarantee, certificate: number }) => ({
              method,
              sum: sum as number,
              ...(method === 'certificate' && { certificate: number ?? '' }),
              ...(method === 'insurer' && idGuarantee && { idGuarantee }),
            })),
            ...(byBonuses > 0
              ? {
                  bonus: rubles(byBonuses),
                  lines: chosen.map((line) => ({ idCouponService: line.id, sum: rubles(restOf(line)) })),
                }
              : linesOf(lines, chosen, total)),
            ...(cash && typeof received === 'number' && { received }),
            ...(contact.trim() && desk.kktMode !== 'none' && { contact }),
          },
        },
        { forbidden: 'toast' },
      )
      tellPaid(payment, desk.kktMode !== 'none')
    } catch (error) {
      // A declined operation is over: a retry needs a new key.
      if (error instanceof ApiError && error.code === 'declined') renew()
      // Separate terminal: the cashier reports the outcome.
      const handed = handedOff(error)
      if (!handed) throw error
      setHandOff(handed)
      return false
    } finally {
      void readMoney(cache)
    }
  }
  const methods = Object.entries(paymentMethods).filter(
    ([method]) => method !== 'advance' && (method !== 'insurer' || (letters.data?.items.length ?? 0) > 0),
  )
  const list = [...methods, ...(isOthers ? [['advance', 'Аванс плательщика']] : [])].map(
    ([value = '', label = '']) => ({
      value,
      label,
    }),
  )
  const most = bonuses.data?.most ?? 0
  const isManual = desk?.terminalMode === 'none' && filled.some(({ method }) => method === 'card' || method === 'sbp')
  if (handOff)
    return (
      <HandOffDialog {...handOff} hasReceipt={desk !== undefined && desk.kktMode !== 'none'} onClose={props.onClose} />
    )
  return (
    <ActionDialog
      title="Принять оплату"
      size={520}
      action={isByBonuses ? 'Оплатить бонусами' : total > 0 ? `Принять ${formatMoney(rubles(total))}` : 'Принять'}
      disabled={!desk}
      faults={faults}
      run={run}
      onClose={props.onClose}
    >
      {(errorOf) => (
        <VStack gap={12} onKeyDown={onKeyDown}>
          {props.about && <Fine component="p">{props.about}</Fine>}
          {props.idCustomer === undefined && (
            <RefSelect
              to={Customer.path}
              label="Клиент"
              required
              autoFocus
              placeholder="Имя, телефон или дата рождения"
              value={idCustomer}
              error={errorOf('idCustomer')}
              onChange={setCustomer}
            />
          )}
          {props.idDesk === undefined && <DeskSelect desks={desks} desk={desk} onChange={setDesk} />}
          {idCustomer !== null && balance.data && (
            <Text size="sm" className="tabular">
              {debt > 0 ? (
                <>
                  Долг <strong>{formatMoney(debt)}</strong>
                </>
              ) : balance.data.advance > 0 ? (
                <>
                  Долга нет, аванс {formatMoney(balance.data.advance)}
                  {free > 0 && chosen.some(({ charged }) => !charged) && ': зачтётся, когда услугу окажут'}
                </>
              ) : lines.length > 0 ? (
                'Долга нет'
              ) : (
                'Долга нет: оплата станет авансом'
              )}
            </Text>
          )}
          {lines.length > 0 && (
            <Block component="fieldset" framed p={12} m={0}>
              <legend>За что</legend>
              <VStack gap={8}>
                {lines.map((line) => (
                  <HStack key={line.id} gap={8} align="flex-start">
                    <Block grow miw={0}>
                      <Checkbox
                        label={line.service}
                        description={`${formatDay(line.localDate)}${line.charged ? '' : ', ещё не оказана: предоплата'}`}
                        checked={!skipped.includes(line.id)}
                        onChange={({ currentTarget: { checked } }) =>
                          setSkipped(checked ? skipped.filter((id) => id !== line.id) : [...skipped, line.id])
                        }
                      />
                    </Block>
                    <span className="tabular nowrap">{formatMoney(rubles(restOf(line)))}</span>
                  </HStack>
                ))}
              </VStack>
            </Block>
          )}
          {most > 0 && (
            <NumberField
              label="Бонусами"
              description={`Доступно ${formatNumber(bonuses.data?.available ?? 0, 2)}, за эти услуги можно ${formatNumber(most, 2)}`}
              digits={2}
              value={bonus}
              error={errorOf('bonus')}
              onChange={setBonus}
              rightSectionWidth={72}
              rightSection={
                <ActionButton label="Все" size="compact-xs" variant="subtle" onClick={() => setBonus(most)} />
              }
            />
          )}
          {filled.map((part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name
            <VStack key={at} gap={8}>
              {parts.length === 1 && part.method !== 'certificate' ? (
                <SegmentedControl
                  fullWidth
                  aria-label="Чем платят"
                  data={usual.map((value, index) => ({
                    value,
                    label: value === 'transfer' ? 'Перевод' : paymentMethods[value],
                    title: `Alt+${index + 1}`,
                  }))}
                  value={part.method}
                  onChange={(value) => set(at, { method: value as PaymentMethod })}
                />
              ) : null}
              {part.method === 'certificate' && (
                <CertificateNumber
                  label="Номер сертификата"
                  value={part.certificate ?? ''}
                  error={errorOf(`parts.${at}.certificate`)}
                  onChange={(number) => set(at, { certificate: number })}
                />
              )}
              <HStack align="flex-start" gap={8}>
                {(parts.length > 1 || part.method === 'certificate') && (
                  <Select
                    aria-label={`Чем платят, часть ${at + 1}`}
                    w={190}
                    data={list}
                    value={part.method}
                    error={errorOf(`parts.${at}.method`)}
                    onChange={(value) => set(at, { method: value as PaymentMethod })}
                  />
                )}
                <Block grow>
                  <NumberField
                    {...(parts.length > 1 || part.method === 'certificate'
                      ? { 'aria-label': `Сумма, часть ${at + 1}` }
                      : { label: 'Сумма' })}
                    digits={2}
                    unit="₽"
                    data-autofocus={(at === 0 && props.idCustomer !== undefined) || undefined}
                    value={part.sum}
                    error={errorOf(`parts.${at}.sum`)}
                    onChange={(sum) => set(at, { sum })}
                  />
                </Block>
                {parts.length > 1 && (
                  <IconButton
                    icon={IconX}
                    label={`Убрать часть ${at + 1}`}
                    onClick={() => setParts(parts.filter((_, index) => index !== at))}
                  />
                )}
              </HStack>
              {part.method === 'insurer' && (
                <Select
                  label="Гарантийное письмо"
                  data={(letters.data?.items ?? []).map(({ id, number, insurer, limit, used }) => ({
                    value: String(id),
                    label: `${insurer?.shortName ?? 'Страховая'} № ${number}, осталось ${formatMoney((limit - used).toFixed(2))}`,
                  }))}
                  value={part.idGuarantee ? String(part.idGuarantee) : null}
                  error={errorOf(`parts.${at}.idGuarantee`)}
                  onChange={(value) => set(at, { idGuarantee: value ? Number(value) : undefined })}
                />
              )}
            </VStack>
          ))}
          {parts.length === 1 && errorOf('parts.0.method') && (
            <Text c="var(--mantine-color-error)" size="sm" role="alert">
              {errorOf('parts.0.method')}
            </Text>
          )}
          {errorOf('parts') && (
            <Text c="var(--mantine-color-error)" size="sm" role="alert">
              {errorOf('parts')}
            </Text>
          )}
          {isManual && <Fine>Терминал не подключён: проведите эту сумму на нём сами, потом примите оплату здесь.</Fine>}
          {cash && (
            <HStack align="flex-end" gap={0}>
              <Block grow>
                <NumberField
                  label="Получено наличными"
                  digits={2}
                  unit="₽"
                  value={received}
                  error={errorOf('received')}
                  onChange={setReceived}
                />
              </Block>
              <Text fz={18} fw={600} pb={4} className="tabular" aria-live="polite">
                {change !== undefined && change >= 0 && (
                  <Text span inherit pl={12}>
                    Сдача {formatMoney(rubles(change))}
                  </Text>
                )}
              </Text>
            </HStack>
          )}
          {isOthers && (
            <RefSelect
              to={Customer.path}
              label="Кто платит"
              value={idPayer}
              error={errorOf('idPayer')}
              onChange={setPayer}
            />
          )}
          {desk?.kktMode === 'none' ? (
            <Fine>Чек не пробивается: регистратор чеков не подключён к этой кассе.</Fine>
          ) : (
            <TextInput
              label="Чек на телефон или почту"
              maxLength={255}
              value={contact}
              error={errorOf('contact')}
              onChange={(event) => setContact(event.currentTarget.value)}
            />
          )}
          <HStack wrap>
            {parts.length < MOST_PARTS && (
              <ActionButton
                label="Ещё способ"
                variant="subtle"
                size="compact-sm"
                icon={IconPlus}
                title="Alt+0"
                onClick={more}
              />
            )}
            {!parts.some(({ method }) => method === 'certificate') && (
              <ActionButton
                label="Сертификатом"
                variant="subtle"
                size="compact-sm"
                icon={IconGift}
                onClick={() => {
                  // Keeps typed sums; the others share what the certificate does not pay.
                  const others = parts.filter(({ sum }) => sum !== null)
                  setParts([{ method: 'certificate', sum: null }, ...others])
                }}
              />
            )}
            {!isOthers && (
              <ActionButton
                label="Платит другой человек"
                variant="subtle"
                size="compact-sm"
                onClick={() => setOthers(true)}
              />
            )}
          </HStack>
        </VStack>
      )}
    </ActionDialog>
  )
}
