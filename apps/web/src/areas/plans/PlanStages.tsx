import { Menu, Select, TextInput } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { PlanItem, PlanStage } from '@ordinator/model/areas/plans/plan'
import { isAgreed, isOpen, MAX_ITEMS, MAX_STAGES, monthText } from '@ordinator/model/areas/plans/rules'
import type { Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import { IconArrowDown, IconArrowUp, IconCalendarPlus, IconPlus, IconTrash } from '@tabler/icons-react'
import { useEffect, useId, useState } from 'react'
import { searchServices } from '#areas/catalogue/index.ts'
import { PlanBooking } from '#areas/schedule/index.ts'
import { useAddress } from '#base/address.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { AjaxSelect } from '#kit/AjaxSelect.tsx'
import { today } from '#kit/clock.ts'
import { EditableText } from '#kit/EditableText.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { useRevealed } from '#kit/RevealTogether.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, VStack } from '#kit/Stacks.tsx'
import { stepPlace } from '#kit/useSortable.ts'
import { Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { useList } from '#records/reads.ts'
import { useMove, useRemove, useSave } from '#records/writes.ts'
import { BookDialog } from './BookDialog.tsx'
import { PlanItemRow } from './PlanItemRow.tsx'
import classes from './Plans.module.css'
import { type ItemRow, leftOf, live, type PlanRow, readBook } from './plan.ts'

type StageRow = Row<typeof PlanStage>

/** Stages of a plan with their services: edited while open, booked once agreed. */
export function PlanStages({ plan }: { plan: PlanRow }) {
  const { id: idPlan, status, idCustomer, idFilial } = plan
  const actor = useActor()
  const mayEdit = useCan('update', PlanStage) && isOpen(status)
  const mayBook = holds(actor, 'createAppointments') && isAgreed(status)
  const stages = useList(PlanStage, { filter: { idPlan }, sort: 'order', limit: MAX_STAGES })
  const items = useList(
    PlanItem,
    { filter: { 'stage.idPlan': idPlan }, expand: ['service'], sort: 'order', limit: MAX_ITEMS },
    { live },
  )
  const add = useSave(PlanStage)
  const [choosing, setChoosing] = useState<ItemRow[]>()
  const [booking, setBooking] = useState<{ item: ItemRow; qty: number }[]>()
  const [fresh, setFresh] = useState<number>()
  const [{ book: isWanted }, setAddress] = useAddress(readBook)
  const rows = stages.data?.items ?? []
  const book = (asked: ItemRow[]) => {
    const able = asked.filter((item) => leftOf(item) > 0)
    const [only] = able
    if (able.length === 1 && only && leftOf(only) === 1) setBooking([{ item: only, qty: 1 }])
    else setChoosing(able)
  }
  // Just agreed: opens the booking of the first unbooked stage.
  const isReady = isWanted === true && mayBook && stages.isSuccess && items.isSuccess
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when all of it is there
  useEffect(() => {
    if (!isReady) return
    const waiting = (idStage: number) =>
      (items.data?.items ?? []).filter((one) => one.idStage === idStage && leftOf(one) > 0)
    const first = rows.map(({ id }) => waiting(id)).find(({ length }) => length > 0)
    if (first) book(first)
    setAddress({ book: undefined }, { replace: true })
  }, [isReady])
  if (stages.isError) return <ErrorState error={stages.error} onRetry={() => void stages.refetch()} />
  if (items.isError) return <ErrorState error={items.error} onRetry={() => void items.refetch()} />
  if (stages.isPending || items.isPending) return <LinesSkeleton lines={6} />
  const addStage = async () => {
    const made = await add.mutateAsync({ idPlan, name: `Этап ${rows.length + 1}` }).catch(() => undefined)
    if (made) setFresh(made.id)
  }
  // An empty plan opens its only stage.
  const [only] = rows
  const begun = fresh ?? (mayEdit && rows.length === 1 && items.data.items.length === 0 ? only?.id : undefined)
  const more = mayEdit && rows.length < MAX_STAGES && (
    <ActionButton
      label="Добавить этап"
      variant="default"
      icon={IconPlus}
      loading={add.isPending}
      onClick={() => void addStage()}
    />
  )
  return (
    <>
      {rows.length === 0 ? (
        <EmptyState
          title="Этапов пока нет"
          text={
            mayEdit
              ? 'Разбейте лечение на этапы и добавьте в каждый услуги: цены подставятся из прайс-листа.'
              : 'План не заполнен.'
          }
          action={more || undefined}
        />
      ) : (
        <VStack gap={12}>
          <ol className={classes.stages} aria-label="Этапы">
            {rows.map((stage) => (
              <Stage
                key={stage.id}
                stage={stage}
                stages={rows}
                items={items.data.items.filter(({ idStage }) => idStage === stage.id)}
                plan={plan}
                mayEdit={mayEdit}
                isFresh={stage.id === begun}
                onNext={rows.length < MAX_STAGES ? () => void addStage() : undefined}
                onBook={mayBook ? book : undefined}
              />
            ))}
          </ol>
          {more && <div>{more}</div>}
        </VStack>
      )}
      {choosing && (
        <BookDialog
          items={choosing}
          onClose={() => setChoosing(undefined)}
          onChosen={(chosen) => {
            setChoosing(undefined)
            setBooking(chosen)
          }}
        />
      )}
      {booking && (
        <PlanBooking
          idCustomer={idCustomer}
          idFilial={idFilial ?? undefined}
          planned={booking.map(({ item, qty }) => ({
            idPlanItem: item.id,
            idService: item.idService,
            name: item.service?.nameService ?? '',
            qty,
            sum: (item.total * qty) / item.qty,
          }))}
          onClose={() => setBooking(undefined)}
        />
      )}
    </>
  )
}

interface StageProps {
  stage: StageRow
  stages: readonly StageRow[]
  items: readonly ItemRow[]
  plan: PlanRow
  mayEdit: boolean
  /** Just added: opens the search for services. */
  isFresh: boolean
  /** Adds the next stage. */
  onNext: (() => void) | undefined
  onBook: ((items: ItemRow[]) => void) | undefined
}

function Stage({ stage, stages, items, plan, mayEdit, isFresh, onNext, onBook }: StageProps) {
  const { id, name, zone, plannedMonth } = stage
  const save = useSave(PlanStage)
  const move = useMove(PlanStage)
  const remove = useRemove(PlanStage, { message: `Этап «${name}» удалён` })
  const add = useSave(PlanItem)
  const field = useId()
  // A hidden field takes no focus.
  const revealed = useRevealed()
  useEffect(() => {
    if (isFresh && revealed) document.getElementById(field)?.focus()
  }, [isFresh, revealed, field])
  const mayPlan = useCan('update', PlanStage) && plan.status !== 'refused' && plan.status !== 'done'
  const step = (way: 'up' | 'down') => {
    const place = stepPlace(stages, id, way)
    if (place) move.mutate({ id, ...place })
  }
  const sum = items.reduce((all, { total, cancelled }) => all + (cancelled ? 0 : Math.round(total * 100)), 0) / 100
  const left = items.some((item) => leftOf(item) > 0)
  return (
    <Block component="li" framed aria-label={`Этап: ${name}`}>
      <div className={classes.stageHead}>
        <span className={classes.stageName}>
          <EditableText
            value={name}
            label="Название этапа"
            maxLength={255}
            disabled={!mayEdit}
            onSave={(next) => save.mutate({ id, name: next })}
          />
        </span>
        {mayEdit ? (
          <Zone key={zone ?? ''} zone={zone} name={name} onSave={(next) => save.mutate({ id, zone: next })} />
        ) : (
          zone && <Muted>{zone}</Muted>
        )}
        {mayPlan ? (
          <Select
            className={classes.month}
            aria-label={`Месяц этапа: ${name}`}
            placeholder="Месяц"
            size="sm"
            clearable
            data={monthsFrom(plannedMonth)}
            value={plannedMonth}
            onChange={(next) => save.mutate({ id, plannedMonth: next })}
          />
        ) : (
          plannedMonth && <Muted>{monthText(plannedMonth)}</Muted>
        )}
        <span className="tabular nowrap">{formatMoney(sum)}</span>
        {onBook && left && (
          <ActionButton
            label="Записать"
            aria-label={`Записать: ${name}`}
            size="compact-md"
            icon={IconCalendarPlus}
            onClick={() => onBook([...items])}
          />
        )}
        {mayEdit && (
          <ActionMenu label={`Действия: ${name}`} width={220}>
            <MenuItem label="Выше" icon={IconArrowUp} disabled={stages[0]?.id === id} onClick={() => step('up')} />
            <MenuItem
              label="Ниже"
              icon={IconArrowDown}
              disabled={stages.at(-1)?.id === id}
              onClick={() => step('down')}
            />
            <Menu.Divider />
            <MenuItem label="Удалить этап" danger icon={IconTrash} onClick={() => remove.mutate(id)} />
          </ActionMenu>
        )}
      </div>
      {items.length > 0 && (
        <Block rule="top" px={12} pt={6}>
          <div className={classes.columns} aria-hidden>
            <span>Услуга</span>
            <span>Кол-во</span>
            <span>Цена</span>
            <span>Скидка</span>
            <span>Итого</span>
          </div>
          <ul>
            {items.map((item) => (
              <PlanItemRow
                key={item.id}
                item={item}
                items={items}
                plan={plan}
                mayEdit={mayEdit}
                onBook={onBook && (() => onBook([item]))}
              />
            ))}
          </ul>
        </Block>
      )}
      {mayEdit ? (
        <div className={classes.add}>
          <AjaxSelect
            aria-label={`Добавить услугу: ${name}`}
            id={field}
            placeholder="Добавить услугу: название, код или артикул"
            load={searchServices}
            value={null}
            onChange={(option) => option && add.mutate({ idStage: id, idService: option.value })}
            onCtrlEnter={(option) => {
              add.mutate({ idStage: id, idService: option.value })
              onNext?.()
            }}
          />
        </div>
      ) : (
        items.length === 0 && (
          <Muted component="p" px={12} pb={12}>
            Услуг нет
          </Muted>
        )
      )}
    </Block>
  )
}

/** Saved on blur. */
function Zone({ zone, name, onSave }: { zone: string | null; name: string; onSave: (zone: string | null) => void }) {
  const [typed, setTyped] = useState(zone ?? '')
  const leave = () => typed.trim() !== (zone ?? '') && onSave(typed.trim() || null)
  return (
    <TextInput
      className={classes.zone}
      size="sm"
      aria-label={`Зуб, зона: ${name}`}
      placeholder="Зуб, зона"
      maxLength={64}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={leave}
      onKeyDown={(event) => event.key === 'Enter' && leave()}
    />
  )
}

const AHEAD = 24

/** Coming months, and the chosen one. */
function monthsFrom(chosen: string | null): { value: string; label: string }[] {
  const [year, month] = today().split('-').map(Number) as [number, number]
  const ahead = Array.from({ length: AHEAD }, (_, at) => {
    const n = year * 12 + month - 1 + at
    return `${Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}-01`
  })
  const all = chosen && !ahead.includes(chosen) ? [chosen, ...ahead] : ahead
  return all.map((value) => ({ value, label: monthText(value) }))
}
