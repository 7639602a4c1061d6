import { Alert, VisuallyHidden } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import { moneyView } from '@ordinator/model/areas/money/access'
import { IconCalendarOff } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import { TakeDialog } from '#areas/money/index.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { FilterToggle } from '#kit/FilterBar.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { Keys } from '#kit/Keys.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { useRowKeys } from '#kit/useRowKeys.ts'
import { Fine } from '#kit/Words.tsx'
import { type Day, roomText } from '../day.ts'
import { DayPrint } from '../print/DayPrint.tsx'
import { useScheduleRights } from '../rights.ts'
import { isExpected, nextStatus } from '../statuses.ts'
import { DESKLESS, useDeskless } from '../useDeskless.ts'
import { useVisitActs } from '../visit/acts/useVisitActs.ts'
import { VisitDiscount } from '../visit/VisitDiscount.tsx'
import classes from './DaySheet.module.css'
import { fits, linesOf, nextOf, type SheetFilter, type SheetLine, sheetFilters } from './lines.ts'
import { SheetRow } from './SheetRow.tsx'

export const GROUP = 'Лист дня'

/** Hotkeys of the front desk, listed above the table where a keyboard is likely. */
const keyWords = {
  j: 'к пациентам',
  a: 'пришёл',
  x: 'не пришёл',
  o: 'принять оплату',
  p: 'печать',
  v: 'вызвать следующего',
} as const

interface LinesProps {
  data: Day
  day: string
  clock: { today: string; minute: number; moment: number }
  doctor: number | undefined
  show: SheetFilter
  onShow: (show: SheetFilter) => void
  onOpen: (idAppointment: number) => void
}

export function Lines({ data, day, clock, doctor, show, onShow, onOpen }: LinesProps) {
  const actor = useActor()
  const isDeskless = useDeskless()
  const rights = useScheduleRights()
  const acts = useVisitActs()
  const table = useRef<HTMLTableElement>(null)
  const [paying, setPaying] = useState<{ id: number; idFilial: number; idCustomer: number }>()
  const [discounting, setDiscounting] = useState<number>()
  const mayTake = allowed(actor, 'takePayments')
  const lines = useMemo(
    () =>
      linesOf(
        data.visits.filter(({ idUser }) => doctor === undefined || idUser === doctor),
        clock,
      ),
    [data, doctor, clock],
  )
  // Visits of past days still without a result.
  const unmarked = lines.filter(({ visit }) => visit.localDate < clock.today && isExpected(visit.visitStatus))
  const shown = lines.filter((line) => fits(show, line))
  const names = useMemo(
    () => new Map(data.doctors.map((one) => [one.idUser, { id: one.idUser, shortFio: one.shortFio }])),
    [data],
  )
  const rooms = useMemo(() => new Map(data.rooms.map(({ id, name }) => [id, roomText(name)])), [data])
  const moneyed = allowed(actor, moneyView)
  // The user's own day needs no doctor's name per line.
  const own = lines.every(({ coupons }) => coupons.every(({ idUser }) => idUser === actor.id))

  useRowKeys(table, shown.length > 0)
  const here = () => {
    const row = (document.activeElement as HTMLElement | null)?.closest<HTMLElement>('[data-row]')
    return lines.find(({ visit }) => visit.idAppointment === Number(row?.dataset.row))
  }
  const press = (to: (line: SheetLine) => 'arrived' | 'noShow' | 'cancelled' | ReturnType<typeof nextStatus>) => () => {
    const line = here()
    const status = line && to(line)
    if (line && status && rights.ways(line.visit, clock.today).includes(status)) void acts.go(line.visit, status)
  }
  const on = { group: GROUP }
  useHotkey(
    'a',
    press(() => 'arrived'),
    { ...on, label: 'Пришёл', enabled: rights.edit },
  )
  useHotkey(
    's',
    press(({ visit }) => nextStatus(visit.visitStatus)),
    { ...on, label: 'Следующее состояние' },
  )
  useHotkey(
    'x',
    press(() => 'noShow'),
    { ...on, label: 'Не пришёл', enabled: rights.edit },
  )
  useHotkey(
    'c',
    press(() => 'cancelled'),
    { ...on, label: 'Отменить запись', enabled: rights.edit },
  )
  const pay = (line: SheetLine | undefined) => {
    if (line && mayTake && line.visit.idCustomer !== null)
      setPaying({ id: line.visit.idAppointment, idFilial: line.visit.idFilial, idCustomer: line.visit.idCustomer })
  }
  useHotkey('o', () => pay(here()), { ...on, label: 'Принять оплату', enabled: mayTake })
  const mayDiscount = rights.edit && allowed(actor, 'viewDiscounts')
  // Discounts of a completed visit are final once it is paid.
  const isOpen = ({ visit, owed = 0 }: SheetLine) => visit.visitStatus !== 'completed' || owed > 0
  const discount = (line: SheetLine | undefined) => {
    if (line && isOpen(line)) setDiscounting(line.visit.idAppointment)
  }
  useHotkey('d', () => discount(here()), { ...on, label: 'Скидка', enabled: mayDiscount })
  useHotkey('p', () => window.print(), { ...on, label: 'Печать' })
  const called = nextOf(lines)
  const call = () => {
    if (called && rights.ways(called.visit, clock.today).includes('inProgress'))
      void acts.go(called.visit, 'inProgress')
  }
  useHotkey('v', call, { ...on, label: 'Вызвать следующего' })

  return (
    <div className={classes.page}>
      <div className={classes.top}>
        <fieldset className={classes.filters} aria-label="Кого показать">
          {(Object.keys(sheetFilters) as SheetFilter[]).map((one) => {
            const count = lines.filter((line) => fits(one, line)).length
            return (
              <FilterToggle
                key={one}
                on={one === show}
                label={`${sheetFilters[one]} ${count}`}
                onChange={() => onShow(one)}
              />
            )
          })}
        </fieldset>
        {rights.edit && lines.length > 0 && <KeysHint mayTake={mayTake} />}
      </div>
      {rights.edit && unmarked.length > 0 && (
        <UnmarkedAlert count={unmarked.length} onMark={() => acts.missed(unmarked.map(({ visit }) => visit))} />
      )}
      {shown.length === 0 ? (
        <EmptyState
          icon={IconCalendarOff}
          title={show === 'all' ? 'Записей нет' : 'Никого нет'}
          text={
            isDeskless
              ? DESKLESS
              : show === 'all'
                ? 'В этот день пока никто не записан.'
                : `«${sheetFilters[show]}»: сейчас пусто.`
          }
          action={
            show !== 'all' && <ActionButton label="Показать всех" variant="default" onClick={() => onShow('all')} />
          }
        />
      ) : (
        <div className={classes.frame}>
          <table ref={table} className={classes.table}>
            <thead>
              <tr>
                <th scope="col">Время</th>
                <th scope="col">Пациент</th>
                {!own && <th scope="col">Врач</th>}
                <th scope="col">Услуги</th>
                <th scope="col">Состояние</th>
                <th scope="col">Ждёт</th>
                {moneyed && <th scope="col">Оплачено</th>}
                {moneyed && <th scope="col">К оплате</th>}
                <th scope="col">
                  <VisuallyHidden>Действия</VisuallyHidden>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((line) => (
                <SheetRow
                  key={line.visit.idAppointment}
                  line={line}
                  today={clock.today}
                  doctors={own ? undefined : names}
                  rooms={rooms}
                  moneyed={moneyed}
                  ways={rights.ways(line.visit, clock.today)}
                  acts={acts}
                  onOpen={() => onOpen(line.visit.idAppointment)}
                  onPay={mayTake ? () => pay(line) : undefined}
                  onDiscount={mayDiscount && isOpen(line) ? () => discount(line) : undefined}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {acts.dialog}
      {discounting !== undefined && <VisitDiscount id={discounting} onClose={() => setDiscounting(undefined)} />}
      {paying && <TakeDialog idCustomer={paying.idCustomer} visit={paying} onClose={() => setPaying(undefined)} />}
      <DayPrint
        data={{ ...data, visits: shown.flatMap(({ coupons }) => coupons) }}
        day={day}
        columns={data.doctors.map((one) => ({ key: String(one.idUser), name: one.shortFio, head: null }))}
        kind="doctors"
      />
    </div>
  )
}

/** The most used keys, where a keyboard is likely. */
const KeysHint = ({ mayTake }: { mayTake: boolean }) => (
  <HStack gap={12} wrap className={classes.keys} aria-label="Клавиши листа дня" role="note">
    {(Object.keys(keyWords) as (keyof typeof keyWords)[])
      .filter((key) => key !== 'o' || mayTake)
      .map((key) => (
        <HStack key={key} gap={4}>
          <Keys keys={key} />
          <Fine>{keyWords[key]}</Fine>
        </HStack>
      ))}
  </HStack>
)

/** Marks visits of a past day without a result. */
function UnmarkedAlert({ count, onMark }: { count: number; onMark: () => Promise<unknown> }) {
  const [marking, setMarking] = useState(false)
  const markAll = async () => {
    setMarking(true)
    await onMark()
    setMarking(false)
  }
  return (
    <Alert color="yellow" variant="light" role="status" mb={12} title="День прошёл, а отмечены не все">
      <HStack wrap gap={8}>
        <span>Отметьте, кто не пришёл: это учтётся при следующей записи пациента.</span>
        <ActionButton
          label={`Никто из них не пришёл: ${count}`}
          size="compact-sm"
          variant="default"
          loading={marking}
          onClick={() => void markAll()}
        />
      </HStack>
    </Alert>
  )
}
