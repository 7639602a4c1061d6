import { Appointment } from '@ordinator/model/areas/visits/visit'
import { pageByKey } from '@ordinator/model/pages'
import { IconBeach, IconCalendarPlus, IconCalendarShare, IconListCheck } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { NoFilial } from '#areas/filials/index.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { part } from '#kit/chunk.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { useRecord } from '#records/reads.ts'
import { useCalendarAddress } from './address.ts'
import { BookingHost } from './booking/BookingHost.tsx'
import { patientOf } from './booking/booking.ts'
import { CalendarBar, titleOf } from './CalendarBar.tsx'
import { useWallNow } from './day.ts'
import { CalendarFeedDialog } from './feed/CalendarFeedDialog.tsx'
import { DayView } from './grid/DayView.tsx'
import { GridSkeleton } from './grid/GridSkeleton.tsx'
import { useScheduleRights } from './rights.ts'
import { HangingButton } from './shifts/HangingButton.tsx'
import { useFilial } from './useFilial.ts'
import { VisitPanel } from './visit/VisitPanel.tsx'

const MonthView = part(() => import('./month/MonthView.tsx'), <GridSkeleton />)
const AbsenceHost = part(() => import('./shifts/AbsenceHost.tsx'))
const ShiftsView = part(() => import('./shifts/ShiftsView.tsx'), <GridSkeleton />)

const page = pageByKey('calendar')

/** Расписание: a branch's day by doctors or rooms, a doctor's week, a month's load, shifts. */
export default function CalendarPage() {
  const [address, setAddress] = useCalendarAddress()
  const rights = useScheduleRights()
  const { list, isPending, filials, filial, timeZone, remember } = useFilial(address.filial)
  const { today } = useWallNow(timeZone)
  const day = address.day ?? today
  const view = address.view ?? 'day'
  const idFilial = filial?.id
  // A visit opened by URL shows its own day and branch.
  const alone = address.visit !== undefined && address.day === undefined
  const visit = useRecord(Appointment, alone ? address.visit : undefined, { fields: ['localDate', 'idFilial'] }).data
  useEffect(() => {
    // Branch of the visit.
    if (idFilial === undefined || alone) return
    if (address.filial !== idFilial) setAddress({ filial: idFilial }, { replace: true })
    remember(idFilial)
  }, [idFilial, alone, address.filial, setAddress, remember])
  useEffect(() => {
    if (alone && visit) setAddress({ day: visit.localDate, filial: visit.idFilial }, { replace: true })
  }, [alone, visit, setAddress])
  const [sharing, setSharing] = useState(false)
  const [sought, setSought] = useState('')
  const setAbsent = (isOn: boolean) => setAddress({ absent: isOn || undefined }, { replace: !isOn })
  const absent = address.absent === true && rights.absent
  const book = () => setAddress({ book: true })
  useHotkey('n', book, { label: 'Записать пациента', group: 'Расписание', enabled: rights.book })
  useHotkey('o', () => setAbsent(true), {
    label: 'Врача не будет',
    group: 'Расписание',
    enabled: rights.absent && filial !== undefined,
  })

  return (
    <VStack gap={0} h="100%" mih={0}>
      <PageHead
        tight
        title={page.title}
        help={titleOf(day, view)}
        actions={
          <>
            {filial && rights.edit && <HangingButton idFilial={filial.id} today={today} />}
            <IconButton
              icon={IconCalendarShare}
              label="Моё расписание в телефоне"
              variant="default"
              visibleFrom="sm"
              size={36}
              onClick={() => setSharing(true)}
            />
            {rights.absent && (
              <IconButton
                icon={IconBeach}
                label="Врача не будет"
                variant="default"
                visibleFrom="sm"
                size={36}
                disabled={!filial}
                onClick={() => setAbsent(true)}
              />
            )}
            <ActionButton
              label="Лист дня"
              variant="default"
              visibleFrom="sm"
              icon={IconListCheck}
              renderRoot={(props) => (
                <PageLink {...props} page="daySheet" search={{ filial: idFilial, day: address.day }} />
              )}
            />
            <IconButton
              icon={IconListCheck}
              label="Лист дня филиала"
              variant="default"
              size={36}
              hiddenFrom="sm"
              renderRoot={(props) => (
                <PageLink {...props} page="daySheet" search={{ filial: idFilial, day: address.day }} />
              )}
            />
            {rights.book && <ActionButton label="Записать" icon={IconCalendarPlus} disabled={!filial} onClick={book} />}
          </>
        }
      >
        <CalendarBar
          address={address}
          setAddress={setAddress}
          filials={filials}
          idFilial={idFilial}
          day={day}
          today={today}
          view={view}
          sought={sought}
          onSought={setSought}
          onAbsence={rights.absent && filial ? () => setAbsent(true) : undefined}
        />
      </PageHead>
      {list.isError ? (
        <ErrorState title="Филиалы не загрузились" error={list.error} onRetry={() => void list.refetch()} />
      ) : isPending ? (
        <GridSkeleton />
      ) : !filial ? (
        <NoFilial
          others={filials.length > 0}
          action={<ActionButton label="К расписанию" onClick={() => setAddress({ filial: filials[0]?.id })} />}
        />
      ) : (
        <>
          {(view === 'day' || view === 'week') && (
            <DayView
              key={filial.id}
              filial={filial}
              day={day}
              address={address}
              setAddress={setAddress}
              sought={sought}
            />
          )}
          {view === 'month' && <MonthView filial={filial} day={day} address={address} setAddress={setAddress} />}
          {view === 'shifts' && <ShiftsView filial={filial} day={day} today={today} />}
        </>
      )}
      {filial && address.book && (
        <BookingHost
          filial={filial}
          start={{
            day: address.day ?? today,
            idCustomer: address.customer,
            idAppeal: address.appeal,
            ...(address.phone && { fresh: patientOf(address.phone) }),
          }}
          onClose={() =>
            setAddress({ book: undefined, customer: undefined, phone: undefined, appeal: undefined }, { replace: true })
          }
        />
      )}
      {absent && filial && (
        <AbsenceHost filial={filial} today={day > today ? day : today} onClose={() => setAbsent(false)} />
      )}
      {sharing && <CalendarFeedDialog onClose={() => setSharing(false)} />}
      {address.visit !== undefined && (
        <VisitPanel id={address.visit} onClose={() => setAddress({ visit: undefined })} />
      )}
    </VStack>
  )
}
