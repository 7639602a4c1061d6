import { Chip, Progress } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import type { SheetRow } from '@ordinator/model/areas/warehouse/calls'
import { WarehouseDocument } from '@ordinator/model/areas/warehouse/document'
import { InventoryCount } from '@ordinator/model/areas/warehouse/inventory'
import { formatDay, formatMoney, formatNumber } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconArrowBackUp, IconCheck, IconPlayerPlay, IconRefresh } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PrintMenu } from '#areas/prints/index.ts'
import { api } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { confirm } from '#kit/confirm.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { SearchField } from '#kit/SearchField.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Dotted, Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { RegistryRecordPage } from '#records/registry/RegistryRecordPage.tsx'
import { Lines } from '../document/Lines.tsx'
import type { DocumentRow } from '../document/row.ts'
import { ScanField } from '../ScanField.tsx'
import { stockPaths, useStock } from '../useCall.ts'
import { amount, Expiry, StatusBadge } from '../words.tsx'
import classes from './Count.module.css'

const toast = { forbidden: 'toast' } as const

/** Подсчёт: one screen for counting with a scanner and for checking differences. */
export default function CountPage() {
  return (
    <RegistryRecordPage
      entity={WarehouseDocument}
      list={pageByKey('inventory')}
      help={({ localDate, blind }) => `Инвентаризация от ${formatDay(localDate)}${blind ? ', вслепую' : ''}`}
      actions={(row) => <CountActions document={row} />}
      under={({ status }) => (
        <HStack mb={8}>
          <StatusBadge status={status} />
        </HStack>
      )}
      main={{
        label: 'Подсчёт',
        panel: (row) =>
          row.status === 'draft' ? (
            <EmptyState
              title="Подсчёт ещё не начат"
              text="Начало подсчёта запоминает остатки. Склад продолжает работать: движения после него учтутся сами."
            />
          ) : row.status === 'counting' || row.status === 'checked' ? (
            <Sheet document={row} />
          ) : (
            <Lines document={row} />
          ),
      }}
    />
  )
}

function CountActions({ document }: { document: DocumentRow }) {
  const { id, status } = document
  const cache = useQueryClient()
  const mayEdit = holds(useActor(), 'editWarehouse')
  const done = async (message: string) => {
    await Promise.all([invalidateRecords(cache, WarehouseDocument.path), invalidateRecords(cache, InventoryCount.path)])
    notify.success(message)
  }
  const act = useMutation({
    mutationFn: async (what: 'start' | 'check' | 'uncounted' | 'back' | 'post' | 'cancel') => {
      const params = { id }
      if (what === 'start') await api('POST /warehouse/documents/:id/count-start', { params }, toast)
      else if (what === 'post') await api('POST /warehouse/documents/:id/post', { params, body: {} }, toast)
      else if (what === 'cancel') await api('POST /warehouse/documents/:id/unpost', { params, body: {} }, toast)
      else
        await api(
          'POST /warehouse/documents/:id/check',
          { params, body: { uncounted: what === 'uncounted', back: what === 'back' } },
          toast,
        )
      return what
    },
    onSuccess: (what) =>
      done(
        {
          start: 'Подсчёт начат',
          check: 'Подсчёт закончен: проверьте разницы',
          uncounted: 'Подсчёт закончен',
          back: 'Подсчёт продолжается',
          post: 'Разницы проведены',
          cancel: 'Инвентаризация отменена',
        }[what],
      ),
    onError: async (error) => {
      if (!(error instanceof ApiError) || error.code !== 'uncounted') return notifyFailure(error)
      const sure = await confirm({
        title: 'Не всё подсчитано',
        message: `${errorMessage(error)}. Считать неподсчитанное отсутствующим?`,
        confirm: 'Считать отсутствующим',
        danger: true,
      })
      if (sure) act.mutate('uncounted')
    },
  })
  if (!mayEdit) return <PrintMenu entity={WarehouseDocument.path} id={id} />
  return (
    <>
      {status === 'draft' && (
        <ActionButton
          label="Начать подсчёт"
          icon={IconPlayerPlay}
          loading={act.isPending}
          onClick={() => act.mutate('start')}
        />
      )}
      {status === 'counting' && (
        <ActionButton
          label="Закончить подсчёт"
          icon={IconCheck}
          loading={act.isPending}
          onClick={() => act.mutate('check')}
        />
      )}
      {status === 'checked' && (
        <>
          <ActionButton
            label="Продолжить подсчёт"
            variant="default"
            icon={IconArrowBackUp}
            onClick={() => act.mutate('back')}
          />
          <ActionButton
            label="Провести разницы"
            icon={IconCheck}
            loading={act.isPending}
            onClick={() => act.mutate('post')}
          />
        </>
      )}
      <PrintMenu entity={WarehouseDocument.path} id={id} />
      {['counting', 'checked', 'posted'].includes(status) && (
        <ActionMenu label="Ещё" width={220}>
          <MenuItem
            label="Отменить инвентаризацию"
            danger
            icon={IconArrowBackUp}
            onClick={() => act.mutate('cancel')}
          />
        </ActionMenu>
      )}
    </>
  )
}

type Shown = 'all' | 'open' | 'off'

function Sheet({ document }: { document: DocumentRow }) {
  const { id, status, blind } = document
  const cache = useQueryClient()
  const mayEdit = holds(useActor(), 'editWarehouse')
  const [q, setQ] = useState('')
  const [shown, setShown] = useState<Shown>('all')
  const [fresh, setFresh] = useState<number>()
  const found = useStock(
    ['sheet', id],
    (signal) => api('GET /warehouse/documents/:id/sheet', { params: { id } }, { signal }),
    [...stockPaths, InventoryCount.path],
  )
  const isCounting = status === 'counting'
  const items = found.data?.items ?? []
  const words = q.trim().toLowerCase()
  const rows = items.filter(
    (row) =>
      (words === '' || `${row.name} ${row.series ?? ''}`.toLowerCase().includes(words)) &&
      (shown === 'all' || (shown === 'open' ? row.fact === null : row.difference !== null && row.difference !== 0)),
  )
  const counted = items.filter(({ fact }) => fact !== null).length
  const off = items.reduce((sum, { differenceCost }) => sum + Math.round((differenceCost ?? 0) * 100), 0) / 100
  const recount = useMutation({
    mutationFn: () =>
      api(
        'POST /warehouse/documents/:id/recount',
        {
          params: { id },
          body: {
            idProducts: [
              ...new Set(items.filter(({ difference }) => difference).map(({ idProduct }) => idProduct)),
            ].slice(0, 500),
          },
        },
        toast,
      ),
    onError: notifyFailure,
    onSuccess: async ({ count }) => {
      await invalidateRecords(cache, WarehouseDocument.path)
      notify.success(`На пересчёт: ${count}`)
    },
  })
  const send = async (row: SheetRow, qty: number) => {
    await api(
      'POST /warehouse/documents/:id/count',
      { params: { id }, body: { idProduct: row.idProduct, idBatch: row.idBatch, qty } },
      toast,
    )
    await found.refetch()
  }
  if (found.isError && !found.data)
    return <ErrorState title="Лист не загрузился" error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <LinesSkeleton lines={8} />
  return (
    <>
      <div className={classes.bar}>
        {isCounting && (
          <ScanField
            label="Сканируйте товар: каждый код прибавляет единицу"
            onCode={async (code) => {
              const { count, message } = await api('POST /warehouse/documents/:id/count', {
                params: { id },
                body: { code },
              })
              setFresh(count.idProduct)
              void found.refetch()
              return message
            }}
          />
        )}
        <Progress value={items.length ? (100 * counted) / items.length : 0} aria-label="Подсчитано" />
        <HStack wrap gap={12} justify="space-between">
          <Fine>
            Подсчитано {formatNumber(counted)} из {formatNumber(items.length)}
            {!(blind && isCounting) && off !== 0 && ` · разница ${formatMoney(off)}`}
          </Fine>
          {mayEdit && !blind && off !== 0 && (
            <ActionButton
              label="Пересчитать расхождения"
              size="xs"
              variant="default"
              icon={IconRefresh}
              loading={recount.isPending}
              onClick={() => recount.mutate()}
            />
          )}
        </HStack>
        <HStack wrap gap={12}>
          <SearchField aria-label="Найти товар" placeholder="Товар или серия" value={q} onChange={setQ} />
          <Chip.Group value={shown} onChange={(value) => setShown(value as Shown)}>
            <div className={classes.chips}>
              <Chip value="all">Все</Chip>
              <Chip value="open">Не подсчитаны</Chip>
              {!(blind && isCounting) && <Chip value="off">Расхождения</Chip>}
            </div>
          </Chip.Group>
        </HStack>
      </div>
      {rows.length === 0 ? (
        <EmptyState
          title={items.length === 0 ? 'На складе ничего не числится' : 'Ничего не найдено'}
          text={items.length === 0 ? 'Сканируйте то, что нашли: оно станет излишком.' : 'Измените поиск.'}
        />
      ) : (
        <div className={classes.list}>
          {rows.slice(0, 400).map((row) => (
            <Row
              key={`${row.idProduct}-${row.idBatch}`}
              row={row}
              isFresh={row.idProduct === fresh}
              mayCount={isCounting}
              onCount={(qty) => send(row, qty)}
            />
          ))}
          {rows.length > 400 && <Muted>Показаны первые 400: уточните поиск</Muted>}
        </div>
      )}
    </>
  )
}

function Row({
  row,
  isFresh,
  mayCount,
  onCount,
}: {
  row: SheetRow
  isFresh: boolean
  mayCount: boolean
  onCount: (qty: number) => Promise<void>
}) {
  const [typed, setTyped] = useState<number | string | null>()
  const [error, setError] = useState<string>()
  return (
    <div className={classes.row} data-off={row.difference ? true : undefined} data-fresh={isFresh || undefined}>
      <div className={classes.name}>
        {row.name}
        <Fine component="div">
          <Dotted>
            {[
              row.series ? `серия ${row.series}` : row.idBatch === null ? 'серия не прочитана' : 'без серии',
              row.expiry && (
                <span key="expiry">
                  до <Expiry day={row.expiry} />
                </span>
              ),
              row.counters > 1 && `считали ${row.counters} чел.`,
              row.recount && 'на пересчёт',
            ]}
          </Dotted>
        </Fine>
      </div>
      <div className={classes.figures}>
        {row.book !== null && <div>по учёту {amount(row.book, row.unit)}</div>}
        {row.fact !== null && <div>насчитано {amount(row.fact, row.unit)}</div>}
        {row.difference !== null && row.difference !== 0 && (
          <div style={{ color: 'var(--mantine-color-error)' }}>
            {row.difference > 0 ? '+' : ''}
            {formatNumber(row.difference)} · {formatMoney(row.differenceCost)}
          </div>
        )}
      </div>
      {mayCount ? (
        <NumberField
          className={classes.count ?? ''}
          aria-label={`Найдено: ${row.name}${row.series ? `, серия ${row.series}` : ''}`}
          value={typed === undefined ? row.mine : typed}
          placeholder="Сколько?"
          error={error}
          onChange={setTyped}
          onBlur={() => {
            if (typeof typed !== 'number' || typed === row.mine) return setTyped(undefined)
            onCount(typed).then(
              () => {
                setTyped(undefined)
                setError(undefined)
              },
              (failure: unknown) => setError(failure instanceof ApiError ? errorMessage(failure) : 'Нет связи'),
            )
          }}
        />
      ) : (
        <span />
      )}
    </div>
  )
}
