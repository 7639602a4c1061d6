import { Select } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { holds } from '@ordinator/model/access'
import type { LineRow } from '@ordinator/model/areas/warehouse/calls'
import { DocumentLine, kindRules, lineSides } from '@ordinator/model/areas/warehouse/document'
import { formatMoney, formatNumber } from '@ordinator/model/format'
import { IconX } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { api } from '#base/api.ts'
import { ApiError } from '#base/apiError.ts'
import { useActor } from '#base/session.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Dotted, Fine, Muted } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'
import { useRemove, useSave } from '#records/writes.ts'
import { ScanField } from '../ScanField.tsx'
import { TableScroll } from '../TableScroll.tsx'
import { stockPaths, useStock } from '../useCall.ts'
import { amount, Expiry } from '../words.tsx'
import classes from './Lines.module.css'
import type { DocumentRow } from './row.ts'

const ROW = 57
const PHONE_ROW = 118
const products = { serviceCategory: 1, active: true }

/** Lines of a document: added by scanner or name, quantities and prices edited in place. */
export function Lines({ document }: { document: DocumentRow }) {
  const { id, kind, status } = document
  const mayEdit = holds(useActor(), 'editWarehouse') && status === 'draft'
  const found = useStock(
    ['lines', id],
    (signal) => api('GET /warehouse/documents/:id/lines', { params: { id } }, { signal }),
    stockPaths,
  )
  const [fresh, setFresh] = useState<number>()
  const [adding, setAdding] = useState(0)
  const save = useSave(DocumentLine, { optimistic: false })
  const sides = kindRules[kind].sides === true
  const items = found.data?.items ?? []
  const add = (idProduct: number | null) => {
    if (idProduct === null) return
    save.mutate(
      { idDocument: id, idProduct, qty: 1, ...(sides && { side: 'out' as const }) },
      {
        onSuccess: (row) => {
          setFresh(row.id)
          setAdding((n) => n + 1)
          void found.refetch()
        },
      },
    )
  }
  return (
    <div>
      {mayEdit && (
        <div className={classes.add}>
          <ScanField
            label="Сканируйте код товара (F2)"
            autoFocus={found.data?.items.length === 0}
            onCode={async (code) => {
              const { line, message } = await api('POST /warehouse/documents/:id/scan', {
                params: { id },
                body: { code },
              })
              setFresh(line?.id)
              void found.refetch()
              return message
            }}
          />
          <div style={{ flex: '1 1 260px', maxWidth: 420 }}>
            <RefSelect
              key={adding}
              to="services"
              filter={products}
              aria-label="Добавить товар"
              placeholder="Или найдите товар по названию"
              value={null}
              onChange={add}
            />
          </div>
        </div>
      )}
      {found.isError && !found.data ? (
        <ErrorState title="Строки не загрузились" error={found.error} onRetry={() => void found.refetch()} />
      ) : !found.data ? (
        <LinesSkeleton lines={6} />
      ) : items.length === 0 ? (
        <EmptyState
          title="В документе нет товаров"
          text={mayEdit ? 'Сканируйте коды, найдите товар по названию или загрузите файл поставщика.' : undefined}
        />
      ) : (
        <Table
          items={items}
          fresh={fresh}
          sides={sides}
          mayEdit={mayEdit}
          takes={document.idFrom !== null && kind !== 'inventory'}
          onSaved={() => void found.refetch()}
        />
      )}
    </div>
  )
}

interface TableProps {
  items: readonly LineRow[]
  fresh: number | undefined
  sides: boolean
  mayEdit: boolean
  /** Products are taken: shows the free quantity. */
  takes: boolean
  onSaved: () => void
}

function Table({ items, fresh, sides, mayEdit, takes, onSaved }: TableProps) {
  const scroller = useRef<HTMLElement>(null)
  const isPhone = useMediaQuery('(max-width: 60em)', undefined, { getInitialValueInEffect: false }) ?? false
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isPhone ? PHONE_ROW : ROW),
    getItemKey: (at) => items[at]?.id ?? at,
    overscan: 12,
  })
  const total = items.reduce((sum, line) => sum + Math.round((line.sum ?? 0) * 100), 0) / 100
  return (
    <div className={classes.frame} data-sides={sides || undefined}>
      <div className={classes.head} aria-hidden>
        <span />
        <span>Товар</span>
        {sides && <span>Действие</span>}
        <span>Серия, срок</span>
        <span data-number>Количество</span>
        <span data-number>Цена</span>
        <span data-number>Сумма</span>
        <span />
      </div>
      <TableScroll label="Строки" ref={scroller} className={classes.list}>
        <ol data-lines aria-label="Строки документа" style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map(({ index, start, key }) => (
            <Line
              key={key}
              line={items[index] as LineRow}
              no={index + 1}
              start={start}
              measure={rows.measureElement}
              isFresh={items[index]?.id === fresh}
              sides={sides}
              mayEdit={mayEdit}
              takes={takes}
              onSaved={onSaved}
            />
          ))}
        </ol>
      </TableScroll>
      <div className={classes.foot}>
        <span>Строк: {formatNumber(items.length)}</span>
        <span className="tabular">{formatMoney(total)}</span>
      </div>
    </div>
  )
}

interface LineProps {
  line: LineRow
  no: number
  start: number
  measure: (node: Element | null) => void
  isFresh: boolean
  sides: boolean
  mayEdit: boolean
  takes: boolean
  onSaved: () => void
}

type Key = 'qty' | 'price'

function Line({ line, no, start, measure, isFresh, sides, mayEdit, takes, onSaved }: LineProps) {
  const save = useSave(DocumentLine, { toast: false, optimistic: false })
  const remove = useRemove(DocumentLine, { again: () => undefined })
  const [typed, setTyped] = useState<Partial<Record<Key, number | string | null>>>({})
  const [errors, setErrors] = useState<Record<string, string>>({})
  const name = line.name ?? line.sourceName ?? 'товар не выбран'
  const send = async (body: Partial<Record<Key, number>> & { idProduct?: number; side?: 'in' | 'out' }) => {
    try {
      await save.mutateAsync({ id: line.id, ...body })
      setErrors({})
      setTyped({})
      onSaved()
    } catch (error) {
      const byField = error instanceof ApiError ? error.byField : {}
      if (Object.keys(byField).length === 0) notifyFailure(error as Error)
      setErrors(byField)
    }
  }
  const field = (key: Key, label: string, digits?: number) =>
    mayEdit ? (
      <NumberField
        aria-label={`${label}: ${name}`}
        size="xs"
        digits={digits}
        data-field={key}
        value={key in typed ? typed[key] : line[key]}
        error={errors[key]}
        onChange={(value) => setTyped((now) => ({ ...now, [key]: value }))}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          stepTo(event.currentTarget, key, event.key === 'ArrowUp' ? -1 : 1)
        }}
        onBlur={() => {
          const value = typed[key]
          if (typeof value === 'number' && value !== line[key]) void send({ [key]: value })
          else if (value === null) setTyped({})
        }}
      />
    ) : (
      <span className="tabular">
        {key === 'price' ? (line.price === null ? '—' : formatMoney(line.price)) : amount(line.qty, line.unit)}
      </span>
    )
  const lacks = takes && line.free !== null && line.free < line.qty && mayEdit && line.side !== 'in'
  return (
    <li
      ref={measure}
      data-index={no - 1}
      className={classes.row}
      data-wrong={line.idProduct === null || undefined}
      data-fresh={isFresh || undefined}
      style={{ transform: `translateY(${start}px)` }}
    >
      <span className={classes.no}>{no}</span>
      <div className={classes.name}>
        {line.idProduct === null && mayEdit ? (
          <RefSelect
            to="services"
            filter={products}
            aria-label={`Товар для «${line.sourceName}»`}
            placeholder={line.sourceName ?? 'Выберите товар'}
            value={null}
            onChange={(idProduct) => idProduct !== null && void send({ idProduct })}
          />
        ) : (
          <span>{name}</span>
        )}
        <Fine component="div">
          <Dotted>
            {[
              line.idProduct === null && line.sourceName !== null && `у поставщика: ${line.sourceName}`,
              lacks ? (
                <span key="free" className={classes.short}>
                  свободно {amount(line.free ?? 0, line.unit)}
                </span>
              ) : (
                mayEdit && takes && line.free !== null && `свободно ${amount(line.free, line.unit)}`
              ),
              line.norm !== null && line.norm !== line.qty && `по норме ${formatNumber(line.norm)}`,
              line.fact !== null && `по учёту ${formatNumber(line.book)}, факт ${formatNumber(line.fact)}`,
              line.sourceQty !== null &&
                line.sourceQty !== line.qty &&
                `у поставщика ${amount(line.sourceQty, line.sourceUnit)}`,
              line.isMarked && (mayEdit || line.sgtins.length > 0) && `кодов ${line.sgtins.length}`,
            ]}
          </Dotted>
        </Fine>
      </div>
      {sides && (
        <div data-wide>
          {mayEdit ? (
            <Select
              aria-label={`Действие: ${name}`}
              size="xs"
              allowDeselect={false}
              data={Object.entries(lineSides).map(([value, label]) => ({ value, label }))}
              value={line.side}
              onChange={(value) => void send({ side: value as 'in' | 'out' })}
            />
          ) : (
            lineSides[(line.side ?? 'out') as 'in' | 'out']
          )}
        </div>
      )}
      <Fine component="div" data-wide>
        {line.series ?? <Muted>без серии</Muted>}
        <br />
        <Expiry day={line.expiry} />
      </Fine>
      <div data-number>{field('qty', 'Количество')}</div>
      <div data-number>{field('price', 'Цена', 2)}</div>
      <span data-number data-wide className="tabular">
        {line.sum === null ? <Muted>—</Muted> : formatMoney(line.sum)}
      </span>
      {mayEdit ? (
        <IconButton
          label={`Убрать: ${name}`}
          icon={IconX}
          onClick={() => remove.mutate(line.id, { onSuccess: onSaved })}
        />
      ) : (
        <span />
      )}
    </li>
  )
}

/** Moves the focus to the same field of the next or previous line. */
function stepTo(from: HTMLElement, key: Key, by: 1 | -1): void {
  const all = [
    ...(from.closest('[data-lines]')?.querySelectorAll<HTMLInputElement>(`input[data-field="${key}"]`) ?? []),
  ]
  const next = all[all.indexOf(from as HTMLInputElement) + by]
  if (next) next.focus()
  else from.blur()
}
