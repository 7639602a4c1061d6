import { Alert, Select, VisuallyHidden } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import { moneyView } from '@ordinator/model/areas/money/desk'
import { formatMoney } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { plusDays } from '@ordinator/model/zone'
import { IconCalendarOff, IconCalendarPlus, IconLayoutColumns, IconPrinter } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import { NoFilial } from '#areas/filials/index.ts'
import { TakeDialog } from '#areas/money/index.ts'
import { useAddress, useGo } from '#base/address.ts'
import { day as dayValue, id, mark, word } from '#base/addressValues.ts'
import { PageLink } from '#base/PageLink.tsx'
import type { Search } from '#base/redirect.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu } from '#kit/ActionMenu.tsx'
import { spanText } from '#kit/dayGrid/scale.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FilterToggle } from '#kit/FilterBar.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { Keys } from '#kit/Keys.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { TableSkeleton } from '#kit/Skeletons.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { UserLinks } from '#kit/UserLink.tsx'
import { useRowKeys } from '#kit/useRowKeys.ts'
import { Fine } from '#kit/Words.tsx'
import { BookingHost } from '../booking/BookingHost.tsx'
import { type Day, dayWords, roomText, startOf, useWallNow } from '../day.ts'
import { NoShifts } from '../NoShifts.tsx'
import { PlaceBar } from '../PlaceBar.tsx'
import { DayPrint } from '../print/DayPrint.tsx'
import { useScheduleRights } from '../rights.ts'
import { actWords, isExpected, nextStatus, statusLooks } from '../statuses.ts'
import { useDay } from '../useDay.ts'
import { useFilial } from '../useFilial.ts'
import { StatusChip } from '../visit/StatusChip.tsx'
import { useVisitActs } from '../visit/useVisitActs.tsx'
import { VisitItems } from '../visit/VisitMenu.tsx'
import { VisitDiscount } from '../visit/VisitMoney.tsx'
import { VisitPanel } from '../visit/VisitPanel.tsx'
import classes from './DaySheet.module.css'
import { fits, LONG_WAIT, linesOf, nextOf, type SheetFilter, type SheetLine, sheetFilters } from './lines.ts'

const page = pageByKey('daySheet')
const GROUP = 'Лист дня'

const servicesText = (coupons: SheetLine['coupons']): string =>
  [...new Set(coupons.map(({ services }) => services))].join('; ')

const read = (search: Search) => ({
  filial: id(search.filial),
  day: dayValue(search.day),
  doctor: id(search.doctor),
  show: word(sheetFilters, search.show),
  visit: id(search.visit),
  book: mark(search.book),
})

/**
 * Лист дня: patients of a branch's day, waiting and late ones, with hotkeys for the front desk. A doctor sees the own
 * day.
 */
export default function DaySheetPage() {
  const [address, setAddress] = useAddress(read)
  const rights = useScheduleRights()
  const { list, isPending, filials, filial, timeZone } = useFilial(address.filial)
  const clock = useWallNow(timeZone)
  const day = address.day ?? clock.today
  const answer = useDay(filial && { idFilial: filial.id, date: day, cancelled: true })
  const go = useGo()
  const book = () => setAddress({ book: true })
  useHotkey('n', book, { label: 'Записать пациента', group: GROUP, enabled: rights.book })
  return (
    <>
      <PageHead
        tight
        title={page.title}
        help={dayWords(day)}
        actions={
          <>
            <ActionButton
              label="Расписание"
              variant="default"
              visibleFrom="sm"
              icon={IconLayoutColumns}
              renderRoot={(props) => (
                <PageLink {...props} page="calendar" search={{ filial: filial?.id, day: address.day }} />
              )}
            />
            <ActionButton
              label="Печать"
              variant="default"
              visibleFrom="sm"
              icon={IconPrinter}
              onClick={() => window.print()}
            />
            <IconButton
              icon={IconLayoutColumns}
              label="Расписание филиала"
              variant="default"
              size={36}
              hiddenFrom="sm"
              renderRoot={(props) => (
                <PageLink {...props} page="calendar" search={{ filial: filial?.id, day: address.day }} />
              )}
            />
            {rights.book && <ActionButton label="Записать" icon={IconCalendarPlus} disabled={!filial} onClick={book} />}
          </>
        }
      >
        <PlaceBar
          filials={filials}
          idFilial={filial?.id}
          onFilial={(next) => setAddress({ filial: next, doctor: undefined })}
          day={day}
          today={clock.today}
          onDay={(next) => setAddress({ day: next })}
          turned={(way) => plusDays(day, way)}
          group={GROUP}
          beside={
            answer.data &&
            answer.data.doctors.length > 1 && (
              <Select
                aria-label="Врач"
                placeholder="Все врачи"
                clearable
                searchable
                w={220}
                flex="1 1 140px"
                maw={220}
                data={answer.data.doctors.map((doctor) => ({ value: String(doctor.idUser), label: doctor.shortFio }))}
                value={address.doctor === undefined ? null : String(address.doctor)}
                onChange={(value) => setAddress({ doctor: value ? Number(value) : undefined })}
              />
            )
          }
        />
      </PageHead>
      {answer.isError && !answer.data ? (
        <ErrorState
          title="Лист дня не загрузился"
          error={answer.error}
          onRetry={() => void answer.refetch()}
          retrying={answer.isFetching}
        />
      ) : list.isSuccess && !isPending && !filial ? (
        <NoFilial
          others={(list.data?.items.length ?? 0) > 0}
          action={<ActionButton label="К листу дня" onClick={() => setAddress({ filial: list.data?.items[0]?.id })} />}
        />
      ) : !answer.data ? (
        <TableSkeleton rows={8} columns={6} />
      ) : answer.data.doctors.length === 0 && filial ? (
        <NoShifts
          idFilial={filial.id}
          after={day}
          when="В этот день"
          onDay={(next, idFilial) => setAddress({ day: next, filial: idFilial })}
          onMake={() => go({ page: 'calendar', search: { filial: filial.id, day, view: 'shifts' } })}
        />
      ) : (
        <Lines
          data={answer.data}
          day={day}
          clock={clock}
          doctor={address.doctor}
          show={address.show ?? 'all'}
          onShow={(next) => setAddress({ show: next === 'all' ? undefined : next })}
          onOpen={(visit) => setAddress({ visit })}
        />
      )}
      {filial && address.book && (
        <BookingHost
          filial={filial}
          start={{ day }}
          onClose={() => setAddress({ book: undefined }, { replace: true })}
        />
      )}
      {address.visit !== undefined && (
        <VisitPanel id={address.visit} onClose={() => setAddress({ visit: undefined })} />
      )}
    </>
  )
}

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

function Lines({ data, day, clock, doctor, show, onShow, onOpen }: LinesProps) {
  const actor = useActor()
  const rights = useScheduleRights()
  const acts = useVisitActs()
  const table = useRef<HTMLTableElement>(null)
  const [paying, setPaying] = useState<{ id: number; idFilial: number; idCustomer: number }>()
  const [discounting, setDiscounting] = useState<number>()
  const [marking, setMarking] = useState(false)
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
  const markAll = async () => {
    setMarking(true)
    await acts.missed(unmarked.map(({ visit }) => visit))
    setMarking(false)
  }
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
  const discount = (line: SheetLine | undefined) => line && isOpen(line) && setDiscounting(line.visit.idAppointment)
  useHotkey('d', () => void discount(here()), { ...on, label: 'Скидка', enabled: mayDiscount })
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
        {rights.edit && lines.length > 0 && (
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
        )}
      </div>
      {rights.edit && unmarked.length > 0 && (
        <Alert color="yellow" variant="light" role="status" mb={12} title="День прошёл, а отмечены не все">
          <HStack wrap gap={8}>
            <span>Отметьте, кто не пришёл: это учтётся при следующей записи пациента.</span>
            <ActionButton
              label={`Никто из них не пришёл: ${unmarked.length}`}
              size="compact-sm"
              variant="default"
              loading={marking}
              onClick={() => void markAll()}
            />
          </HStack>
        </Alert>
      )}
      {shown.length === 0 ? (
        <EmptyState
          icon={IconCalendarOff}
          title={show === 'all' ? 'Записей нет' : 'Никого нет'}
          text={show === 'all' ? 'В этот день пока никто не записан.' : `«${sheetFilters[show]}»: сейчас пусто.`}
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
              {shown.map((line) => {
                const { visit, coupons, late, wait, owed, paid } = line
                const ways = rights.ways(visit, clock.today)
                const next = nextStatus(visit.visitStatus)
                const long = wait !== undefined && wait >= LONG_WAIT
                return (
                  <tr
                    key={visit.idAppointment}
                    tabIndex={0}
                    data-row={visit.idAppointment}
                    data-late={late || undefined}
                    aria-label={`${visit.localStart}, ${visit.patient ?? 'пациент'}`}
                    onClick={({ target }) =>
                      !(target as HTMLElement).closest('button, a, [role="menu"]') && onOpen(visit.idAppointment)
                    }
                    onKeyDown={(event) =>
                      event.key === 'Enter' && event.target === event.currentTarget && onOpen(visit.idAppointment)
                    }
                  >
                    <td className={`${classes.time} tabular nowrap`}>
                      {spanText({ from: startOf(visit), to: startOf(visit) + visit.minutes })}
                    </td>
                    <th scope="row">
                      <button type="button" className={classes.patient} onClick={() => onOpen(visit.idAppointment)}>
                        {visit.patient ?? 'Пациент'}
                      </button>
                      {visit.phone && (
                        <span className={classes.phone}>
                          <PhoneLink phone={visit.phone} bare />
                        </span>
                      )}
                    </th>
                    {!own && (
                      <td className={classes.doctor}>
                        <UserLinks
                          users={[...new Set(coupons.map(({ idUser }) => idUser))].flatMap((id) => names.get(id) ?? [])}
                        />
                        {visit.idRoom !== null && rooms.has(visit.idRoom) && (
                          <span className={classes.phone}>{rooms.get(visit.idRoom)}</span>
                        )}
                      </td>
                    )}
                    <td className={classes.services} title={servicesText(coupons)}>
                      {servicesText(coupons)}
                    </td>
                    <td className={classes.state}>
                      <StatusChip status={visit.visitStatus} late={late} />
                    </td>
                    <td className="tabular nowrap" data-long={long || undefined}>
                      {wait !== undefined && `${wait} мин`}
                    </td>
                    {moneyed && (
                      <td className={`${classes.paid} tabular nowrap`}>
                        {paid !== undefined && paid > 0 && formatMoney(paid)}
                      </td>
                    )}
                    {moneyed && (
                      <td
                        className="tabular nowrap"
                        data-long={(owed && visit.visitStatus === 'completed') || undefined}
                      >
                        {owed !== undefined && owed > 0
                          ? visit.visitStatus === 'completed'
                            ? `долг ${formatMoney(owed)}`
                            : formatMoney(owed)
                          : paid !== undefined && paid > 0 && 'оплачено'}
                      </td>
                    )}
                    <td className={classes.actions}>
                      <HStack gap={4} justify="end">
                        {next && ways.includes(next) && (
                          <ActionButton
                            label={actWords(visit.visitStatus, next)}
                            icon={statusLooks[next].icon}
                            size="compact-sm"
                            variant="light"
                            onClick={() => void acts.go(visit, next)}
                          />
                        )}
                        <ActionMenu label={`Действия: ${visit.patient ?? 'запись'}`} size={28} width={260}>
                          <VisitItems
                            visit={visit}
                            today={clock.today}
                            acts={acts}
                            onOpen={() => onOpen(visit.idAppointment)}
                            onPay={mayTake ? () => pay(line) : undefined}
                            onDiscount={mayDiscount && isOpen(line) ? () => void discount(line) : undefined}
                          />
                        </ActionMenu>
                      </HStack>
                    </td>
                  </tr>
                )
              })}
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
