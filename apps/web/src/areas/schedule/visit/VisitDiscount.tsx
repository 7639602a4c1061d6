import { Autocomplete, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { DiscountApproval } from '@ordinator/model/areas/discounts/discount'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { formatMoney, formatNumber } from '@ordinator/model/format'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { records } from '#base/client.ts'
import { usePreference } from '#base/preferences.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { submitOnEnter } from '#kit/submitOnEnter.ts'
import { Fine } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useRecord } from '#records/reads.ts'
import { readDaysAgain } from '../day.ts'
import { KEY, type Price, round, usePrice } from './usePrice.ts'

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

export function DiscountDialog({ id, price, onClose }: { id: number; price: Price; onClose: () => void }) {
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

/** Usual grounds of a discount by hand; the person's last one comes first. */
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
    meta: { reportsFailure: true },
  })
  return data?.lines.reduce((all, line) => all + line.final, 0)
}
