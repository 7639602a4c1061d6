import { SegmentedControl, Select, Skeleton, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { PriceChangeBody, PricePreview } from '@ordinator/model/areas/catalogue/calls'
import { changeUnits, Price, PriceList, roundings } from '@ordinator/model/areas/catalogue/price'
import { Service, type ServiceGroup } from '@ordinator/model/areas/catalogue/service'
import type { Row } from '@ordinator/model/entity'
import { counted, formatMoney, formatNumber } from '@ordinator/model/format'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { LoadMore } from '#kit/LoadMore.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { Tiles } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useList } from '#records/reads.ts'
import classes from './PriceChange.module.css'
import { RecentChanges, useUndoChange } from './RecentChanges.tsx'

interface Props {
  /** Selected services; absent: all of the group or the catalogue. */
  services?: readonly { id: number }[]
  group?: Pick<Row<typeof ServiceGroup>, 'id' | 'nameServiceGroup'>
  onClose: () => void
}

/** Option for the services' own prices. */
const OWN = 'own'
const MAX_LISTS = 500
const TYPING_MS = 300

const ways = { up: 'Повысить', down: 'Понизить' } as const
const forms = ['цену', 'цены', 'цен'] as const
const steps = roundings.map((value) => ({
  value: String(value),
  label: value === 0.01 ? 'Не округлять' : `До ${formatNumber(value)} ₽`,
}))

/** Bulk price change: amount, preview of all prices, undo. */
export function PriceChangeDialog({ services, group, onClose }: Props) {
  const cache = useQueryClient()
  const undo = useUndoChange()
  const lists = useList(PriceList, { filter: { active: true }, sort: 'name', limit: MAX_LISTS })
  const [chosenList, setList] = useState<string>()
  const [dateFrom, setDateFrom] = useState<string | null>(today())
  const [unit, setUnit] = useState<keyof typeof changeUnits>('percent')
  const [way, setWay] = useState<keyof typeof ways>('up')
  const [size, setSize] = useState<number | string | null>(10)
  const [rounding, setRounding] = useState('10')
  // The main price list is preselected, if there is one.
  const main = lists.data?.items.find(
    ({ kind, idFilial, idOrganization }) => kind === 'main' && !idFilial && !idOrganization,
  )
  const list = chosenList ?? (main ? String(main.id) : OWN)
  const amount = typeof size === 'number' && size > 0 ? (way === 'up' ? size : -size) : undefined
  const body: PriceChangeBody | undefined =
    amount === undefined
      ? undefined
      : {
          ...(services ? { ids: services.map(({ id }) => id) } : group && { idGroup: group.id }),
          ...(list !== OWN && { idPriceList: Number(list), dateFrom: dateFrom ?? '' }),
          unit,
          amount,
          rounding: Number(rounding),
        }
  const [wanted] = useDebouncedValue(body, TYPING_MS)
  const preview = useQuery({
    queryKey: ['records', Service.path, 'price change', wanted],
    queryFn: ({ signal }) =>
      api('POST /price-changes/preview', { body: wanted as PriceChangeBody }, { signal, forbidden: 'silent' }),
    enabled: wanted !== undefined && !lists.isPending,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { reportsFailure: true },
  })
  const shown = wanted && preview.data
  const fault = preview.error instanceof ApiError ? preview.error.byField : undefined
  const isSettled = body !== undefined && JSON.stringify(body) === JSON.stringify(wanted) && !preview.isPlaceholderData

  const run = async () => {
    if (!body || !shown) return false
    const change = await api(
      'POST /price-changes/apply',
      { body: { ...body, seen: shown.seen } },
      { forbidden: 'toast' },
    )
    for (const path of [Service.path, Price.path]) await invalidateRecords(cache, path)
    notify.undo(`Изменено: ${counted(change.total, ['цена', 'цены', 'цен'])}`, () => undo(change.id))
  }
  return (
    <ActionDialog
      title={`Изменить цены: ${scopeOf(services, group)}`}
      size={760}
      action={shown?.rows.length ? `Изменить ${counted(shown.rows.length, forms)}` : 'Изменить цены'}
      disabled={!shown?.rows.length || !isSettled || preview.isError}
      run={run}
      onClose={onClose}
    >
      <Tiles tile={220} fit gap={16}>
        <Select
          label="Какие цены"
          data={[
            { value: OWN, label: 'Цены самих услуг' },
            ...(lists.data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: `Прайс-лист «${name}»` })),
          ]}
          value={list}
          onChange={(chosen) => setList(chosen ?? OWN)}
        />
        {list !== OWN && (
          <DateField
            label="С какого дня"
            description="До него действуют прежние"
            value={dateFrom}
            error={fault?.dateFrom}
            onChange={setDateFrom}
          />
        )}
      </Tiles>
      <Tiles tile={160} fit gap={16}>
        <div>
          <Text size="sm" fw={500} mb={4}>
            Что сделать
          </Text>
          <SegmentedControl
            fullWidth
            aria-label="Что сделать"
            data={Object.entries(ways).map(([value, label]) => ({ value, label }))}
            value={way}
            onChange={(chosen) => setWay(chosen as keyof typeof ways)}
          />
        </div>
        <NumberField
          label="На сколько"
          value={size}
          onChange={setSize}
          error={fault?.amount}
          rightSectionWidth={88}
          rightSection={
            <SegmentedControl
              size="xs"
              aria-label="Единица"
              data={Object.entries(changeUnits).map(([value, label]) => ({ value, label }))}
              value={unit}
              onChange={(chosen) => setUnit(chosen as keyof typeof changeUnits)}
            />
          }
        />
        <Select label="Округлить" data={steps} value={rounding} onChange={(chosen) => setRounding(chosen ?? '0.01')} />
      </Tiles>
      {preview.isError && !fault?.amount && !fault?.dateFrom && (
        <Text role="alert" c="var(--mantine-color-error)">
          {errorMessage(preview.error)}
        </Text>
      )}
      {shown && !preview.isError && <Preview preview={shown} />}
      {amount !== undefined && !shown && !preview.isError && <Skeleton height={PREVIEW} />}
      <RecentChanges />
    </ActionDialog>
  )
}

const scopeOf = (services: Props['services'], group: Props['group']): string =>
  services
    ? counted(services.length, ['услуга', 'услуги', 'услуг'])
    : group
      ? `группа «${group.nameServiceGroup}»`
      : 'весь каталог'

/** Height of the preview in pixels, reserved before it loads. */
const PREVIEW = 350
const PORTION = 100

function Preview({ preview: { rows, without, same } }: { preview: PricePreview }) {
  const [shown, setShown] = useState(PORTION)
  const left = [
    without > 0 && `без цены ${counted(without, ['услуга', 'услуги', 'услуг'])}`,
    same > 0 && `не изменится ${counted(same, ['цена', 'цены', 'цен'])}`,
  ].filter(Boolean)
  return (
    <section aria-label="Какими станут цены">
      <Muted component="p" mb={4}>
        {rows.length ? `Изменится ${counted(rows.length, ['цена', 'цены', 'цен'])}` : 'Ни одна цена не изменится'}
        {left.length > 0 && `; ${left.join(', ')}`}
      </Muted>
      {rows.length > 0 && (
        <div className={classes.frame}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">Услуга</th>
                <th scope="col">Была</th>
                <th scope="col">Станет</th>
                <th scope="col" className={classes.wide}>
                  Разница
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, shown).map(({ idService, name, code, before, after }) => (
                <tr key={idService}>
                  <th scope="row">
                    {name} {code && <Muted component="span">{code}</Muted>}
                  </th>
                  <td>{formatMoney(before)}</td>
                  <td>
                    <strong>{formatMoney(after)}</strong>
                  </td>
                  <td className={classes.wide}>
                    {after > before ? '+' : ''}
                    {formatMoney((after - before).toFixed(2))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {rows.length > shown && (
            <LoadMore label="Показать ещё" loading={false} onMore={() => setShown(shown + PORTION)} />
          )}
        </div>
      )}
    </section>
  )
}
