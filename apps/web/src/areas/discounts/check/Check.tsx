import { Checkbox, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Discount } from '@ordinator/model/areas/discounts/discount'
import { Filial } from '@ordinator/model/areas/filials/filial'
import type { Row } from '@ordinator/model/entity'
import { IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { searchServices } from '#areas/catalogue/index.ts'
import { searchCustomers } from '#areas/customers/index.ts'
import { api, type Body } from '#base/api.ts'
import { ApiError } from '#base/apiError.ts'
import { AddLine } from '#kit/AddLine.tsx'
import { AjaxSelect } from '#kit/AjaxSelect.tsx'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FormPart } from '#kit/FormPart.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, Tiles, VStack } from '#kit/Stacks.tsx'
import { TimeField } from '#kit/TimeField.tsx'
import type { AjaxOption } from '#kit/useAjaxOptions.ts'
import { useCan } from '#records/Can.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { recordKeys } from '#records/keys.ts'
import { CheckResult } from './CheckResult.tsx'

type Asked = Body<'POST /discounts/calculate'>

interface Line {
  key: number
  service: AjaxOption | null
  quantity: number | string | null
}

const TYPING_MS = 300
const MAX_LINES = 20
const fresh = (key: number): Line => ({ key, service: null, quantity: 1 })

/** Test calculation of a basket with reasons. With a discount: only that one, active or not. */
export function Check({ discount }: { discount?: Row<typeof Discount> }) {
  const maySeeCustomers = useCan('view', Customer)
  const [lines, setLines] = useState<readonly Line[]>([fresh(0)])
  const [customer, setCustomer] = useState<AjaxOption | null>(null)
  const [idFilial, setFilial] = useState<number | null>(null)
  const [date, setDate] = useState<string | null>(today())
  const [time, setTime] = useState('')
  const [code, setCode] = useState('')
  const [isFirstVisit, setFirstVisit] = useState(false)
  const [paid, setPaid] = useState<number | string | null>(null)
  const set = (key: number, patch: Partial<Line>) =>
    setLines((now) => now.map((line) => (line.key === key ? { ...line, ...patch } : line)))

  const chosen = lines.flatMap(({ service, quantity }) =>
    service && typeof quantity === 'number' ? [{ idService: service.value, quantity }] : [],
  )
  const body: Asked | undefined = chosen.length
    ? {
        lines: chosen,
        ...(customer && { idCustomer: customer.value }),
        ...(idFilial && { idFilial }),
        ...(date && { date }),
        ...(/^\d\d:\d\d$/.test(time) && { time }),
        ...(code.trim() && { code }),
        ...((isFirstVisit || typeof paid === 'number') && {
          suppose: { ...(isFirstVisit && { isFirstVisit }), ...(typeof paid === 'number' && { paid }) },
        }),
        ...(discount && { idDiscount: discount.id }),
      }
    : undefined
  const [wanted] = useDebouncedValue(body, TYPING_MS)
  const answer = useQuery({
    queryKey: [...recordKeys.all(Discount.path), 'calculate', wanted],
    queryFn: ({ signal }) =>
      api('POST /discounts/calculate', { body: wanted as Asked }, { signal, forbidden: 'silent' }),
    enabled: wanted !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { reportsFailure: true },
  })
  const faults = answer.error instanceof ApiError ? (answer.error.byField ?? {}) : {}
  return (
    <Tiles tile={380} fit gap={16}>
      <VStack gap={16}>
        <FormPart title="Корзина">
          <VStack gap={8} data-wide>
            {lines.map(({ key, service, quantity }, at) => (
              <HStack key={key} gap={8} align="flex-start">
                <Block grow>
                  <AjaxSelect
                    aria-label={`Услуга ${at + 1}`}
                    placeholder="Услуга или товар"
                    load={searchServices}
                    value={service}
                    error={faults[`lines.${at}.idService`] ?? faults[`lines.${at}.price`]}
                    onChange={(next) => set(key, { service: next })}
                  />
                </Block>
                <NumberField
                  aria-label={`Количество ${at + 1}`}
                  w={72}
                  value={quantity}
                  error={faults[`lines.${at}.quantity`]}
                  onChange={(next) => set(key, { quantity: next })}
                />
                {lines.length > 1 && (
                  <IconButton
                    icon={IconTrash}
                    label={`Убрать услугу ${at + 1}`}
                    onClick={() => setLines(lines.filter((line) => line.key !== key))}
                  />
                )}
              </HStack>
            ))}
            {lines.length < MAX_LINES && (
              <HStack>
                <AddLine
                  label="Ещё услуга"
                  size="compact-md"
                  onAdd={() => setLines([...lines, fresh(Math.max(...lines.map(({ key }) => key)) + 1)])}
                />
              </HStack>
            )}
          </VStack>
        </FormPart>
        <FormPart title="Кому, где и когда">
          {maySeeCustomers && (
            <AjaxSelect
              label="Клиент"
              placeholder="ФИО или телефон"
              load={searchCustomers}
              value={customer}
              error={faults.idCustomer}
              onChange={setCustomer}
            />
          )}
          <RefSelect
            label="Филиал"
            to={Filial.path}
            value={idFilial}
            clearable
            error={faults.idFilial}
            onChange={setFilial}
          />
          <DateField label="День" value={date} error={faults.date} onChange={setDate} />
          <TimeField label="Время" description="Пусто — сейчас" value={time} error={faults.time} onChange={setTime} />
          <TextInput label="Код" value={code} onChange={(event) => setCode(event.currentTarget.value)} />
          <NumberField
            label="Оплачено раньше"
            description="Для накопительных"
            unit="₽"
            value={paid}
            onChange={setPaid}
          />
          <Checkbox
            label="Считать первым визитом"
            checked={isFirstVisit}
            onChange={(event) => setFirstVisit(event.currentTarget.checked)}
          />
        </FormPart>
      </VStack>
      <Block framed p={16} component="section" aria-label="Что получится" aria-live="polite">
        {!body ? (
          <EmptyState title="Выберите услугу" text="Здесь будет сказано, какие скидки положены и почему." />
        ) : answer.isError && Object.keys(faults).length > 0 ? (
          <Text role="alert" c="var(--mantine-color-error)">
            {Object.values(faults).join('. ')}
          </Text>
        ) : answer.isError ? (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        ) : answer.data ? (
          <CheckResult answer={answer.data} />
        ) : (
          <LinesSkeleton lines={5} />
        )}
      </Block>
    </Tiles>
  )
}
